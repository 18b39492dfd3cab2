question = 两个向量相乘，怎么就能知道两个词有多像？
doThis = 在查询那一行（row），去掉“男性”和“国王”，加上“女性”和“王后”：最大的权重就移到“王后”。
live = 查询与四个词的分数：{ $scores }；经过 softmax 成为权重：{ $weights }。
contrast = 点积只让同一个轴互相比较。双线性注意力在中间放一张可学习的表，任何轴都可以与任何轴匹配。
history = 加性打分要对每一对都算一个小网络。Luong（2015）改用一次矩阵乘法，快得多，但查询与键的维度必须相同；后来由缩放点积取代。

add_hundred =
    .question = 给一行的每个分数都加上 100，权重会怎样？
    .choice1 = 不变
    .choice2 = 更集中
    .choice3 = 更平均
    .shown = 之前：{ $before }。之后：{ $after }。softmax 只看分数之差。

textbook1 =
    .writes = 点击注意力、点击模型
    .means = 应为点积注意力、点积模型；“点击”是笔误。

textbook2 =
    .writes = α_ij = qⁱ · kⁱ
    .means = 应为 α_ij = qⁱ · kʲ，键属于第 j 个词元。
