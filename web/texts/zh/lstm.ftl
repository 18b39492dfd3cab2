question = 每一步都会冲淡之前的内容，网络怎样才能数数？
doThis = 逐个读括号：隐状态跟着层数走，读到 a、b 也不变淡。再把遗忘门关上。
live = 一层括号时隐状态是 { $shallow }，两层时是 { $deep }。
contrast = 普通循环网络每一步都乘一次状态，所以会变淡。LSTM 的细胞状态是加上去的，留多久由遗忘门决定。
history = 普通循环网络的梯度隔得一远就消失。Hochreiter 与 Schmidhuber（1997）给它加了一个累加的细胞状态。2017 年 Transformer 出现之前，机器翻译主要靠它。

forget_gate_shut =
    .question = 把遗忘门关上。读到 b，外面有两层括号，隐状态是多少？
    .choice1 = 0.96，两层
    .choice2 = 0.76，一层
    .choice3 = 约等于 0
    .tiny = 不到 0.001
    .shown = { $size }；门开着时是 { $open }。每一步都把计数丢掉，只剩自己这个符号。

textbook1 =
    .writes = 只写 f_t、i_t、C̃_t 与 h_t = o_t * tanh(C_t)
    .means = 还缺两行：o_t = σ(W_o [{ "h_{t−1}" }, x_t] + b_o)，C_t = f_t * { "C_{t−1}" } + i_t * C̃_t。
