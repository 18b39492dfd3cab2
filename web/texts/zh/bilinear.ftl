question = “法国”与“巴黎”毫无共同点，怎样才能找到它？
doThis = 点一下 W 中“法国”与“东京”那一格，权重就分给“东京”。再换成 W = I 看看。
live = “法国”给“东京”“北京”“巴黎”的权重是 { $weights }。
contrast = 点积没有这张表：每个轴只与自己相比。
history = 点积只能同类相比，且维度必须相等。Luong 的 general 打分（2015）学习“什么配什么”；2017 年起由 Wq、Wk 两个投影代替，即 W = Wq Wk⊤。

identity_table =
    .question = 若 W = I，“日本”给“东京”多少权重？
    .choice1 = 几乎全部
    .choice2 = 三分之一
    .choice3 = 没有
    .shown = { $weight }：三个分数都是 0，分数相同权重就相同。
