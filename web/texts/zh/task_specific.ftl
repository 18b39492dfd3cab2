question = 一个翻译模型，两种词序：哪一部分必须不同？
doThis = 在法语和日语之间切换标志，再逐词走一遍：编码器和解码器不变，读原文的顺序变了。
live = 第 2 步看得最多的是“{ $word }”，权重 { $most }。
contrast = 打分函数仍是 Bahdanau 的加性打分，只是由标志选用哪一组 Wa、Ua、va，其余全部共用。
history = 多语言模型让所有语言共用一套对齐，可它们的词序各不相同。Blackwood（2018）给每种语言一套自己的注意力。Transformer 里由语言标记和多个头取而代之。

other_flag =
    .question = 日语动词在最后，第 2 步看“苹果”。把标志改成法语，第 2 步看什么？
    .choice1 = I
    .choice2 = 吃
    .choice3 = 仍是“苹果”
    .shown = “吃”得到 { $weight }。解码器照旧数步数，只是把步数变成查询的那张表换了。
