question = 遇到无关紧要的词，隐状态怎样才能保持不变？
doThis = 逐词往下读：只有“写入”为 1 时隐状态才变。再让门一直半开。
live = 读完“开”隐状态是 { $first }，读完“再”是 { $third }。
contrast = 一个门在“保留”与“写入”之间二选一，所以状态不会累积。LSTM 两件事各有一个门，细胞状态可以累加。
history = LSTM 有三个门、两个状态。Cho（2014）在最早的编码器-解码器里只用两个门、一个状态；Bahdanau 的解码器用的就是它。后来两者都被纯注意力取代。

half_open_gate =
    .question = 更新门对每个词都半开。读完“开”“接着”“再”，隐状态是多少？
    .choice1 = 仍是 0.76
    .choice2 = 更小
    .choice3 = 更大
    .shown = 是 { $mixed }，而不是 { $kept }：每来一个词，状态就有一半让给新的数。

textbook1 =
    .writes = r_t 是遗忘门
    .means = r_t 是重置门。各书对 z 的约定不同：这里与 PyTorch 一致，z = 1 表示保留旧状态。
