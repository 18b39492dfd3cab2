question = 一个词有两个意思：再给一种语言的原文，能分清吗？
doThis = 走到名词这一步，关掉德语原文，再打开：哪个名词胜出？
live = 名词这一步，cuckoo（鸟）的概率是 { $bank }，azalea（花）的概率是 { $shore }。
contrast = 每个源语言各有自己的窗口和权重，用的都是预测对齐。选下一个词之前，两个上下文向量并排放在一起。
history = 单一语言的句子可能有歧义，而许多文本有多种语言的版本。Zoph 和 Knight（2016）给解码器配了两个编码器。如今一个模型把所有原文当作一段长文本来读。

second_source_off =
    .question = 拿走德语句子。对“杜鹃”，哪个英语名词胜出？
    .choice1 = cuckoo（鸟）
    .choice2 = azalea（花）
    .choice3 = 不分上下
    .shown = cuckoo { $bank }，azalea { $shore }：单看“杜鹃”，鸟和花两个意思都有。

textbook1 =
    .writes = child-sum 组合里写 i_f、u_f、o_f、c_f
    .means = 应为 i、u、o、c：只有遗忘门是每个源语言各有一个。
