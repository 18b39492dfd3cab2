basics =
    .title = 基础
    .question = 一个查询，几个答案：每个各取多少？

alignment =
    .title = 编码器-解码器中的对齐
    .question = 下一个词由哪些源词决定？

selfAttention =
    .title = 自注意力与位置
    .question = 句子里的每个词看向哪里？

pooling =
    .title = 汇聚一段文本
    .question = 用一个向量表示整段文本：留下哪些词？

sparse =
    .title = 稀疏
    .question = 哪些配对可以省去？

linear =
    .title = 线性与低秩
    .question = 能否不比较所有配对就读完一段文本？

memory =
    .title = 记忆
    .question = 相隔很远的事实如何得出一个答案？

pointing =
    .title = 指针与拷贝
    .question = 如果答案就是输入里的一个词呢？

beyondText =
    .title = 文本之外：图像、声音、图
    .question = 没有词的时候，是什么在注意？
