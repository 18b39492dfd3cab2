question = 摘要怎么写出从没见过的人名？
doThis = 把 w_c 从 −4 移到 0，也就是关掉覆盖，再看这四步。
live = p_gen 第 1 步是 { $name }，第 2 步是 { $known }：词表里没有的就拷贝。覆盖损失总共 { $loss }。
contrast = 这里由门 p_gen 混合两个分布；CopyNet 没有门，词和位置在同一个 softmax 里竞争。
history = 词表固定的摘要模型把人名写成 UNK，还会重复。拷贝与覆盖（2017）解决了这两点；后来子词词表和预训练 Transformer 取而代之。

without_coverage =
    .question = 关掉覆盖，令 w_c = 0。四步的覆盖损失总共多大？
    .choice1 = 0：没有覆盖可言
    .choice2 = 与有覆盖时一样
    .choice3 = 大好几倍
    .shown = { $without }，而有覆盖时是 { $covered }：每一步都看前面看过的地方。

textbook1 =
    .writes = p_gen = σ(w_h·h_t + …)
    .means = 应为 h*_t，即上下文向量，不是编码器的状态。
