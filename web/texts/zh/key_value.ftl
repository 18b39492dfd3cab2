question = 为什么“用来比较的”和“取出来的”要分开？
doThis = 查询“梨”，读出它的价格。再把 V 绑定为 K，重新查一次。
live = 依次查询三种水果，输出是 { $outputs }。
contrast = 普通的点积注意力里，词既是键又是值。这里键决定何时被读到，值决定读到什么。
history = 一个向量既要被查找又要被读取，两头兼顾不好。键值记忆网络（2016）把两者分开；Transformer 用两个投影分别得到键和值。

tied_values =
    .question = 把 V 绑定为 K 之后，查询“梨”会得到什么？
    .choice1 = 它的价格 5
    .choice2 = “梨”自己的向量
    .choice3 = 所有水果的平均
    .shown = 输出是（{ $output }）：正是你用来查询的键。

textbook1 =
    .writes = H = V softmax(KᵀQ)
    .means = 那里每一列是一个词元，这里每一行是一个词元；它是 softmax(QKᵀ)V 的转置。
