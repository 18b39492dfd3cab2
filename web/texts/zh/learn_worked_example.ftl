title = 逐格看一个算例
body = 三个词元已经变成三个查询、三个键和三个值。第 1 个查询与各个键的点积是分数 2、4、4；softmax 把分数变成权重，输出就是各个值乘以权重再相加。其余每个数都是这样算出来的。
doThis = 选中分数 S 里的一个格子：用到的数会被框出来，算式写在上面。回答问题之后，再选权重 A 和输出 O 里的格子。

scores_2_4_4 =
    .question = 分数是 2、4、4。哪个权重最大？
    .choice1 = 第二个
    .choice2 = 第三个
    .choice3 = 第二、第三个一样大
    .shown = 权重是 { $weights }：分数相同，权重就相同。

further =
    .self_attention = 这个算例，数字可以改

token = 词元
component = 分量
query = 查询
key = 键
choose = 选中 S、A 或 O 里的一个格子。

quantities =
    .query = 查询
    .key = 键
    .value = 值
    .scores = 分数
    .weights = 权重
    .output = 输出
