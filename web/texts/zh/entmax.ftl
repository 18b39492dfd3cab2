question = softmax 与 sparsemax 之间，还有折中的办法吗？
doThis = 拖动最后一个分数，看曲线怎样平滑地离开 0。用开关与 softmax、sparsemax 比较。
live = 分数 { $scores } 变成权重 { $weights }。
contrast = 这里 sparsemax 给 0.75 和 0.25。entmax 给第二个键多留一些，最后一个仍恰好是 0。
history = sparsemax 常常只剩一个键。entmax（2019）用 α 从 softmax（α = 1）过渡到 sparsemax（α = 2）；1.5 有快速精确算法，每个头还可以各学一个 α。

far_below =
    .question = 有两个键。第二个的分数要比最高的低多少，entmax 才恰好给它 0？
    .choice1 = 低 2 以上
    .choice2 = 低 10 以上
    .choice3 = 永远不会恰好是 0
    .shown = 低 { $nearly } 时第二个权重是 { $near }，低 2 时是 { $far }。
