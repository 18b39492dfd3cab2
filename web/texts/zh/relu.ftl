question = 权重一定要加起来等于 1 吗？
doThis = 把所有分数拖到 0 以下：ReLU 什么也不看，输出为 0；而 softmax 总得选一个。
live = 权重是 { $weights }，加起来是 { $sum }。
contrast = softmax 让键互相竞争，此消彼长；ReLU 里每个键的权重只取决于自己的分数。
history = softmax 要对所有键求和，拖慢硬件，又逼着作出选择。ReLU 除以键数（2023）在图像上接近 softmax；语言模型多数仍用 softmax。

leave_polygon =
    .question = 各个值都在 1 和 3 之间，输出会跑到这个范围之外吗？
    .choice1 = 都不会
    .choice2 = ReLU 会，softmax 不会
    .choice3 = 两者都会
    .shown = 分数 8 和 6 时，softmax 给 { $softmax }，ReLU 给 { $relu }。权重之和为 1，输出就出不了值围成的多边形。

textbook1 =
    .writes = α′ = ReLU(α)
    .means = 这里还除以键的个数，使长输入的输出不会越来越大。
