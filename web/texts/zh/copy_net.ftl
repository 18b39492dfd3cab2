question = 回答能把名字一个字一个字念对吗？
doThis = 一步步走：选择性读取标出上一步拷贝的位置，接着拷贝下一个字。然后把它关掉试试。
live = 第 2 步以 { $first } 拷贝“欧”，第 5 步以 { $last } 拷贝“远”，词表里都没有。
contrast = 指针网络只有位置；CopyNet 把位置和词表放进同一个 softmax，还会重读刚拷贝的地方。
history = 对话模型遇到新名字只会回答 UNK。CopyNet（2016）从原文拷贝，并记得拷贝到哪里。如今由子词词表和 Transformer 的归纳头来做。

without_selective_read =
    .question = 关掉选择性读取，“欢迎”之后它会说什么？
    .choice1 = 照样说出名字
    .choice2 = 反复说名字的第一个字
    .choice3 = 只说词表里的词
    .shown = 它说“{ $text }”：每一步的状态都停在“叫”之后，没有什么告诉它念到了哪里。
