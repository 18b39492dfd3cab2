question = 把一句话逐词读进一个隐状态：第一个词还留下多少？
doThis = 逐词往下读，看“不是”怎样变淡。再改成“什么也不传”：下一个词一来就忘光。
live = 读到“不是”时隐状态是 { $first }，读完最后一个词只剩 { $last }。
contrast = 最后一个隐状态要装下一切。Bahdanau 把每个词的隐状态都留着，解码器每一步读它需要的那些。
history = 固定宽度的窗口看不到窗外的词。Elman（1990）把隐状态送回网络，让之前的词都能起作用，但淡得很快。LSTM 和 GRU 记得更久，注意力则直接回看。

doubled_state =
    .question = 每读一个词，隐状态乘以 2 而不是 0.5。“不是”之后四个词，它是多少？
    .choice1 = 已经变淡
    .choice2 = 很大，但小于 1
    .choice3 = 变成 16 倍
    .shown = 从 { $first } 变到 { $last }：tanh 总小于 1。旧的不再变淡，新的也就看不出来了。

textbook1 =
    .writes = 输出写作 0_t
    .means = 应为字母 O：O_t。
