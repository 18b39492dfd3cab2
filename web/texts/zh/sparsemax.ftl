question = 权重之和为 1，能不能让无关的键恰好得 0？
doThis = 把第三个分数往上拖：在接近最高分之前，它的权重一直恰好是 0。
live = 分数 { $scores } 变成 { $weights }。
contrast = sparsemax 是折线，在 0 处有拐角；α = 1.5 的 entmax 平滑地弯下去：零更少，梯度更光滑。
history = softmax 从不给 0，看不出忽略了什么。sparsemax（2016）把分数投影到概率单纯形上；entmax 推广了它，大模型为速度仍用 softmax。

lower_still =
    .question = 分数是 1、½、−1，最后一个降到 −5，另外两个权重会变吗？
    .choice1 = 会
    .choice2 = 不会
    .shown = 仍是 { $weights }：已经是 0 的键再也分不出什么。
