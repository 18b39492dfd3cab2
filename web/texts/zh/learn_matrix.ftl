title = 整个矩阵一次算完
body = 把查询摞成矩阵，全部分数就是一个乘积 QKᵀ；softmax 对每个查询的分数各做一次，再乘以 V 就得到所有输出。有的书把一个词写成一行（row），有的写成一列（column）：数字相同，只是转置。
doThis = 选一个查询，从权重一直看到输出。然后改成一个词一列：它的权重到哪里去了？

shape_of_weights =
    .question = 3 个查询看 5 个键。每个查询占一行时，权重矩阵有多大？
    .choice1 = 3×3
    .choice2 = 3×5
    .choice3 = 5×5
    .shown = 算出的权重是 { $weights }：每一对查询与键各有一个数。值的维度是 4，输出便是 { $output }：每个查询一行，与键的个数无关。

further =
    .self_attention = 自注意力，逐个数字看

query = 查询
key = 键
feature = 特征
weight = 权重
value = 值
output = 输出
notation = 一个词是
rows = 一行
columns = 一列
choose = 查询
sum = A 的“{ $word }”这一{ $rows ->
    [true] 行
   *[other] 列
}：{ $parts } = { $total }。
mixed = “{ $word }”的输出按这些权重混合所有的值：它所看到的，{ $noun } 是名词。
note = 这个头由手工设定：看附近的词。所有查询同时计算，互不等待。

features =
    .noun = 名词
    .verb = 动词
