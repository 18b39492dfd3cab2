title = 自注意力，逐个数字看清楚
lede = 每个词元用自己的查询与所有的键比较，把分数变成权重，再取值的加权和。选中下面任何一个数字，都能一路追到它的来处。
sumsToOne =
    .rows = 每行（row）的和为 1
    .columns = 每列（column）的和为 1
sums = 和为 1
sumsOrEmpty = 和为 1 或 0

controls = 选项
input = 输入
example = 算例
textOfVisitor = 你的文本
scale = 缩放
scaleOne = 缩放系数 1，不缩放
scaleRoot = 缩放系数：根号 d 分之一
causal = 因果掩码
causalHint = 词元只看得见自己和前面的词元。
positions = 位置
attention = 注意力
kinds =
    .dense = 稠密
    .sparse = 稀疏
    .linear = 线性
toPattern = 前往稀疏掩码：保留 { $kept } 对，共 { $all } 对
pairs = 保留 { $kept } / { $all } 对
toFeatureMap = 前往特征映射
back = 恢复算例的数字
failed = 这一步算不出来

# 句子下面的说明。
headNotes =
    .same = 查询和键都取身份轴：词元找到与自己相同的每一个词。
    .previous = 查询是把位置往前移一步。第一个词元没有前一个，它的查询离自己最近。
    .next = 查询是把位置往后移一步。最后一个词元没有后一个。
    .first = 每个查询都经由恒为 1 的轴，带着第一个词元的位置。
    .nearby = 查询和键就是位置本身，锐度只有十分之一：邻近的词元分享权重。
    .pronoun = 代词寻找“名词”和“有生命”。其他词元什么也不找，所以它们的权重是均匀的。
    .pronounLinear = 代词寻找“名词”和“有生命”。其他词元什么也不找：softmax 会让它们的权重均匀，特征映射却未必。
noPronoun = 这段文本里没有词表中的代词，所以每个查询的权重都是均匀的。
withoutPositions = 位置已关闭：靠位置寻找的头什么也找不到，相同的词得到完全相等的输出。
cut = 这段文本有 { $total } 个词元，只画出前 { $drawn } 个；再多，格子在这块屏幕上就小得无法指点了。
longText = 最多 2,000 个词元的文本另有一页。
unlisted = 不在内置小词表中：{ $words }。它们只有身份和位置。
allListed = 所有的词都在内置小词表中。
repeated = “{ $word }”出现在第 { $places } 位。{ $apart ->
    [0] 它们的输出完全相等。
   *[other] 它们的输出不同，最多相差 { $apart }。
}

# 词嵌入的各个轴。
features =
    .noun = 名词
    .verb = 动词
    .adjective = 形容词
    .pronoun = 代词
    .animate = 有生命
    .function = 虚词
    .positive = 正面
    .negative = 负面
constant = 常数 1
axisNotes =
    .identity = 词元是“{ $name }”时为 1，否则为 0。
    .feature = 词表说它是“{ $name }”时为 1。
    .position = 词元的位置：{ $name }，t 从 0 数起。
    .constant = 恒为 1：头可以借它向每个词元问同样的事。
blocks =
    .identity = 身份
    .feature = 特征
    .position = 位置
    .constant = 1

# 页面放在注意力旁边对照的数组。
names =
    .pattern = 稀疏掩码
    .dense = 稠密权重
    .exact = softmax 权重
    .error = 差

# 对每一步的说明。
bodies =
    .example = 三个词元 a₁、a₂、a₃，每个是维度为 4 的向量。这些就是算例里的数字；改动其中任何一个，下面的一切都随之改变。
    .vectors = 每一个轴都读得懂：它是哪个词、词表怎么说它、它在什么位置（波长递增的正弦），以及常数 1。
    .query = 三个矩阵把每个输入变成：它要找什么（查询）、别人凭什么找到它（键）、它交出什么（值）。
    .queryOfHead = 这个头就是三个手工写出的矩阵，分别得出查询、键和值。q 和 k 的每个分量，都以它要对上的轴命名。
    .scores = 每个查询与每个键的点积：方向越一致，分数越大。
    .scaledOne = 不缩放：分数原样进入 softmax。
    .scaledExample = 这个算例的原文没有缩放分数，好让数字保持整数。切换到 1/√d，可以看到原文代码里的公式给出什么。
    .scaled = 除以 √d，这样维度很大时也不会把 softmax 推到两端。
    .masked = 词元只看得见自己和前面的词元。其余位置的分数设为 −∞，于是权重为 0。
    .maskedSparse = 只计算保留的对。其余的分数算作 −∞，于是权重为 0。分数设为 0 不行：e⁰ = 1，仍会分到权重。
    .weights = softmax 让每个查询的分数都变成正数，并且和为 1。
    .weightsSparse = 只对保留的键做 softmax：它们重新分享总和 1。
    .weightsLinear = 线性注意力从不算出这些权重。它们是会给出同样输出的权重。
    .dense = 对照：同一输入在保留所有配对时的权重。
    .exact = 对照：同一输入的 softmax 注意力的权重。
    .error = 线性注意力所代表的权重，减去 softmax 的权重。
    .output = 每个查询取值的加权和。
    .outputLinear = 每个查询去读状态：分子是 φ(q)·S，分母是 φ(q)·z。从头到尾不需要算出任何一对查询和键。
    .outputPlain = 每个查询去读状态。特征的和已经是 1，所以不用再除。从头到尾不需要算出任何一对查询和键。
    .queryFeatures = 特征映射 φ 作用于每个查询和每个键。两者的相似度就是特征的乘积，不再对每一对做 softmax。
    .state = 先把键和值相乘。查询要读的一切都在 S 和 z 里；文本再长，它们也一样小。
    .statePlain = 先把键和值相乘。查询要读的一切都在 S 里；文本再长，它也一样小。
    .stateCausal = 每个词元把自己的特征乘以值加进状态，再把特征加进 z。状态从不变大：这就是循环神经网络的状态。每个查询读的是自己的词元之后的状态。

# 对单个数字的说明。
given = 手工设定：它没有更早的来处。
givenYours = 你自己的数字：它没有更早的来处。
later = 这个键在查询之后。因果掩码把它的分数设为 −∞。
unseen = 这个键在查询之后：它还不在状态里，所以权重为 0。

# 稀疏注意力。
pattern = 稀疏掩码
choose = 选择
paint = 涂画
painted = 手工涂画
counts = 保留 { $kept } 对，共 { $all } 对，密度 { $density }。
withCausal = 加上因果掩码后为 { $allowed } 对。
noneEmpty = 每个查询都至少保留一个键。
someEmpty = { $n ->
   *[other] { $queries } 没有保留任何键：分数全为 −∞，于是权重全为 0，输出也为 0，而不是平均值。
}
kept = 保留
leftOut = 去掉
emptySum = 没有保留任何键
keptPair = 稀疏掩码保留这一对：它的分数照常使用。
leftOutPair = 稀疏掩码去掉这一对：分数变成 −∞，于是权重为 0。
emptyQuery = 这个查询没有保留任何键，没有可分的权重：权重全为 0，输出也为 0。

# 线性注意力。
map = 特征映射
maps =
    .elu1 = elu + 1
    .relu = relu
    .squaredRelu = relu 的平方
    .exp = exp
    .softmax = softmax：高效注意力（Efficient Attention）
    .favor = FAVOR+：随机特征
    .taylor = 泰勒展开，二阶
mapNotes =
    .elu1 = x 为正时取 x + 1，否则取 eˣ：总是大于 0。
    .relu = x 为正时取 x，否则取 0。相似度全为 0 时，分母也是 0。
    .squaredRelu = relu 的平方：大的特征更突出，权重也就更尖锐。
    .exp = 对每个分量取 e 的幂。c 是缩放系数的平方根；m 让数字不致过大，最后会约去。
    .softmax = 对每个查询的各个分量做 softmax；对键的每个分量，则在所有词元上做 softmax。
    .favor = 随机特征：平均而言，它们的乘积就是 softmax 里 e 的（缩放后的分数）次方。特征越多，误差越小；查询和键越长，需要的特征越多。c 是缩放系数的平方根；m 会约去。
    .taylor = 乘积是缩放后的分数 x 的 1 + x + x²/2：在 0 附近接近 eˣ，分数大时偏小。c 是缩放系数的平方根。
mapSteps =
    .elu1 = { $positive ->
        [true] x 为正，取 x + 1
       *[other] x 不为正，取 eˣ
    }
    .relu = { $positive ->
        [true] x 为正，取 x 本身
       *[other] x 不为正，取 0
    }
    .squaredRelu = { $positive ->
        [true] x 为正，取 x²
       *[other] x 不为正，取 0
    }
needsAllKeys = Efficient Attention 要同时看到所有的键，不能与因果掩码同用。这里改为显示 elu + 1。
fields =
    .features = 特征数
    .seed = 随机种子
errorsOf =
    .weights = 权重的误差
    .output = 输出的误差
largest = 最大误差
relative = 相对 Frobenius 误差
at = 在 { $row }，{ $col }
zero = { $n ->
   *[other] { $queries }：相似度全为 0，分母也就是 0。
}没有可分的权重，而 0 ÷ 0 不是一个数（NaN）。
cost = { $tokens } 个词元、{ $features } 个特征时，(QKᵀ)V 需要 { $pairs } 次乘法，φ(Q)(φ(K)ᵀV){ $divided ->
    [true] 连同分母
   *[other] { "" }
}需要 { $linear } 次；从 { $from } 个词元起后者更少。
