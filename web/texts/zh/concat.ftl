question = 打分网络的每个单元，必须同时看到查询和键吗？
doThis = 让每个单元只看到两个词中的一个，比较“一张”与“一条”的权重。
live = “一条”给“河”的权重是 { $are }：形状不一致时，分数就陷下去。
contrast = 加性注意力把同一个和写成两个矩阵 Wq、Wk；拼接注意力把它们写成一个矩阵的上下两半。
history = Luong（2015）把它与点积、双线性并列，最接近 Bahdanau 的打分；实验中它最差，点积胜出。图注意力后来又用了这一思路。

separate_units =
    .question = 没有一个单元同时看到量词和名词，这时“一张”与“一条”的权重还会不同吗？
    .choice1 = 会
    .choice2 = 不会
    .shown = 两者都给“河” { $are }：量词给所有分数加上同一个数，softmax 不予理会。

textbook1 =
    .writes = w · tanh([q; k])
    .means = 照字面计算，查询会在 softmax 中抵消；tanh 里应当还有一个矩阵：w · tanh([q; k] W)。
