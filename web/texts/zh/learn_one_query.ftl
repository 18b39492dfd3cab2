title = 一个查询，五个值
body = 一个查询[[query]]与每个键[[key]]比较，相合的程度就是点积，称为分数[[score]]；softmax 把分数变成权重[[weight]]，输出就是各个值[[value]]乘以权重再相加。这就是注意力，其余的都是在讲查询、键、值从哪里来。
doThis = 转动查询，让权重几乎都落在第 4 个值上。然后把它缩短：权重怎样变化？

inside_the_polygon =
    .question = 有没有哪个查询能让输出跑到各个值围成的多边形外面？
    .choice1 = 有，足够长的查询
    .choice2 = 没有
    .shown = softmax 的权重都是正数且和为 1：绕正方形取 { $queries } 个很长的查询，输出都没有越过顶点（最远 { $inside }，顶点是 1）。把 softmax 换成 ReLU，权重之和不必为 1，最远到了 { $outside }。
