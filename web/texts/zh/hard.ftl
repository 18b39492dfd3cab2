question = 为什么要混合各个值，而不只取最好的一个？
doThis = 把词元 3 的分数拖到超过词元 2：输出突然跳变。换成 softmax，它会平滑地变化。
live = 第三个查询的权重是 { $weights }，输出 { $output } 就是其中一个值，没有混合。
contrast = softmax 给每个键都留一份，分数变一点，输出就变一点，梯度因此可以传回去。
history = 软性注意力要读所有位置，硬性注意力只读一个，省计算；但 argmax 没有梯度，要靠采样和策略梯度训练。稀疏的归一化是折中。

nearly_best =
    .question = 分数是 4、12、10，第三个升到 11.9，输出会变吗？
    .choice1 = 会
    .choice2 = 不会
    .shown = 仍是 { $weights }：第二名等于没有。
