title = 位置
body = 注意力比较的是向量。位置编码[[position encoding]]表示词排在哪里；在求查询和键之前把它加到词上，一个头就能问“我前面是哪个词”。没有它，注意力对词的顺序知道多少？
doThis = 先选第一个“画”，再选第二个；然后打开位置，再各选一次。

two_saws =
    .question = 关掉位置时，两个“画”的输出相等吗？
    .choice1 = 相等，完全一样
    .choice2 = 不相等，它们的邻词不同
    .shown = 关掉时相差 { $off }：交换两个词，得到的还是原来的输出，只是换了位置。打开后最多相差 { $on }。

further =
    .sinusoidal = 正弦位置编码
    .rope = 旋转位置编码

switch = 位置
off = 关
on = 开
query = 查询
key = 键
weight = 权重
outputs = 两个“画”的输出
first = 画，第 2 词
second = 画，第 4 词
difference = 相差
equal = 没有位置时两行完全相等：词的顺序丢失了。
different = 有了位置，每个“画”都找到自己前面的词，输出最多相差 { $most }。
provenance = 权重为手工设定，数值为实时计算。

words =
    .word1 = 我
    .word2 = 画
    .word3 = 一张
    .word4 = 画
