question = 代词能在自己的句子里找到它指代谁吗？
doThis = 选第 2 层：“追”和“饿”旁边的词起了作用，“它”看向“猫”。再把“饿”换成“怕”。
live = “它”给“猫” { $onCat }，给被追的词 { $onPrey }。第 1 层只知道每个词自己的特征；第 2 层还知道谁在追、代词后面说了什么。
contrast = 一组权重只能为每个词回答一个问题；多头注意力同时问几个。
history = 循环神经网络要把第一个词一路传下去；自注意力（2017）一步就能到达任何词；稀疏注意力和线性注意力让长文本算得起。

swap_two_words =
    .question = 关掉位置，把句子里的两个词对调，输出会怎样？
    .choice1 = 全都改变
    .choice2 = 还是那些向量，只是跟着词换了位置
    .choice3 = 只有这两个词的输出改变
    .shown = 跟着词移动之后，输出只差 { $apart }，不过是舍入误差。没有位置，就看不见词序。

twice_the_words =
    .question = 文本的词数加倍，要算多少个分数？
    .choice1 = 两倍
    .choice2 = 四倍
    .choice3 = 八倍
    .shown = 8 个词：{ $few } 个权重；16 个词：{ $many } 个。每个词都看每个词，所以按平方增长。

textbook1 =
    .writes = 词元排成列：V softmax(KᵀQ/√D)
    .means = 同一计算的转置；本页词元排成横行（row）。“记法”开关可以转过来。

textbook2 =
    .writes = V = W_b X
    .means = W_v 的笔误：值是 X W_v。

textbook3 =
    .writes = α_ij = q^i k^i
    .means = 应为 q^i k^j：第 i 个词的查询与第 j 个词的键。

textbook4 =
    .writes = α 与 α′ 都印成 α
    .means = α 是分数，α′ 是 softmax 之后的权重。

textbook5 =
    .writes = 权重写成 0、½、½
    .means = 是算例第一行的约数：完整的是 0.0634、0.4683、0.4683。

textbook6 =
    .writes = 算例不缩放，代码却除以 √d
    .means = 用 1/√3 时，第一行是 0.1361、0.4319、0.4319。

textbook7 =
    .writes = 把多个查询叫作多头
    .means = 每个头有自己的 W_q、W_k、W_v，再由 W_o 把各头合起来。只增加查询，并不是增加头。

textbook8 =
    .writes = 点击注意力、点击模型
    .means = 应为点积注意力、点积模型。
