title = 为什么用 softmax，为什么除以 √d
body = softmax 把任意分数变成和为 1 的正数，分数越大权重越大，变化是平滑的。可是 d 个数的点积，离散程度按 √d 增长：向量一宽，权重就几乎全给了一个键，训练也就推不动了。除以 √d，离散程度便保持在 1。
doThis = 把向量加宽到 256 维：左边的权重逐渐塌缩到一个键上，右边的仍然分散。

add_100_or_double =
    .question = 分数是 2、4、4。怎样改动会让权重更集中？
    .choice1 = 每个都加 100
    .choice2 = 每个都乘 2
    .choice3 = 两种都会
    .shown = 原来的权重是 { $given }；都加 100 后是 { $added }，完全一样；都乘 2 后是 { $doubled }。softmax 只看分数之差，差距越大越集中。

further =
    .scaled_dot = 缩放点积注意力

d = d：查询和键的维度
key = 键
unscaled = 权重，不缩放
scaled = 权重，除以 √d
spread = 分数的离散程度
largest = 最大权重（平均）
label = 一个查询对八个键的权重：除以 √d 与不除
random = 随机，种子 1
seen = d = { $d } 时分数的离散程度是 { $spread }，约等于 √d；不缩放的话，最大权重平均是 { $largest }。
