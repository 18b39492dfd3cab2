step = 步
numbers = 数字，以及所选那一步的权重
number = 数字
allSteps = 每一步的权重
inOrder = 依次指向：
coverageWeight = 覆盖 w_c
less = 减小 w_c
more = 增大 w_c
source = 原文
attention = 注意力
coverage = 此前的覆盖
generate = 生成
copy = 拷贝
together = 合计
unknownWords = 虚线：未登录词，只能拷贝。
selectiveRead = 选择性读取
heard = 原文
readAgain = 选择性读取：上一步拷贝处
vocabulary = 词表
oneSoftmax = “拷贝”和“生成”的全部条形加起来等于 1：共用一个 softmax。
places = 文档：每个位置一个权重
weight = 权重
sums = 每个词求一次和
probability = 概率
stage = 显示
readsOn = 空缺知道后面的词
meanBeta = β̄：各行的平均
sumOfPlaces = 概率：这个词各处的 s 之和
stepN = 第 { $n } 步
place = 位置 { $n }
weightAt = 第 { $n } 步权重
pointsAt = 第 { $n } 步指向 { $x }
coverageLoss = 覆盖损失 { $loss }
mixed = 下一个词：p_gen = { $pGen } 用于生成，其余用于拷贝
asks = 问题：“{ $query }”
atPlace = 第 { $n } 处换成
answers = 答案：“{ $word }”

stages-match =
    .name = 1 分数 M
    .letter = M：分数
    .says = 文档的每个词占一行（row），问题的每个词占一列（column），两两相遇。

stages-alpha =
    .name = 2 α 竖着
    .letter = α：每列之和为 1
    .says = α 沿每一列作 softmax：问题里的这个词看文档的哪里？

stages-beta =
    .name = 3 β 横着
    .letter = β：每行之和为 1
    .says = β 沿每一行作 softmax：对文档的这个词，问题里哪个词要紧？各行平均得 β̄。

stages-product =
    .name = 4 s = α·β̄
    .letter = s
    .says = 用 β̄ 混合 α 的各列：问题里要紧的词，说话的分量也重。
joint = { "" }
writes = 它写出：{ $words }
reply = 它回答：{ $words }
whoIs = “{ $query }”：某人是谁？
