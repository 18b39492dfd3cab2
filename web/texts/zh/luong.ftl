question = 两种语言的词，能直接用点积比较吗？
doThis = 把打分函数从 general 换成 dot，再看 visited。然后换回 general，点 Wa 的格子，让一个词对应别的译法。
live = visited 给“去了”的权重是 { $weight }；这两个词在各自词表里的编号并不相同。
contrast = 这里每一步都给所有源词打分。局部注意力只给一个窗口里的词打分，窗口的中心由它自己选定。
history = Bahdanau 的打分要为每一对词算一个小网络。Luong（2015）只用一次乘积，更简单，效果不差。Transformer 的缩放点积就是这个乘积，两边各有一张表。

dot_across_languages =
    .question = visited 是英语词表第 2 个词，“昨天”是中文词表第 2 个词，都是独热向量。打分函数用 dot，visited 最注意谁？
    .choice1 = 去了
    .choice2 = 昨天
    .choice3 = 都一样
    .shown = “昨天”得到 { $wrong }，“去了”得到 { $right }。两个词表的独热向量只会编号相同才相乘不为零，中间要有一张表来翻译。

textbook1 =
    .writes = { "Σ_{s′}" } exp(score(h_t, h̄_s))
    .means = 应为 { "Σ_{s′}" } exp(score(h_t, { "h̄_{s′}" }))：对所有源词求和，分数里是 s′。
