question = 有什么是乘积打分做不到的？
doThis = 换一个查询，峰会跟着移动。再把打分函数换成同样这些数的点积。
live = 位置 3 给自己的权重是 { $own }。在那里第一个单元已经升起，第二个还没有，两者之差就是一个峰。
contrast = 拼接打分是同一个公式的另一种写法：对 [q; k] 乘一个矩阵 W，等于 q 乘 Wq 再加上 k 乘 Wk。
history = 从前编码器要把整句压进一个定长向量。Bahdanau（2015）让解码器回看每个源词，用小网络打分；后来被更快的点积取代。

product_of_places =
    .question = 用乘积 q·k 给位置 1 到 5 打分，查询 2 最看重哪里？
    .choice1 = 位置 2
    .choice2 = 位置 5
    .choice3 = 一样看重
    .shown = 位置 { $position } 得到 { $weight }：乘积随键增大，不会在中间隆起。

textbook1 =
    .writes = v⊤ tanh(W x_i + U q)
    .means = 这里 w = v、Wk = W⊤、Wq = U⊤，每一行是一个词元。
