stored = 存入
token = 已读到
next = 下一个词元
back = 后退一个词元
all = 读完全部
state = 状态 S
normalizer = z
axis = 轴
component = 值的分量
number = 状态中的数
readings = 每个查询从状态中读出什么
tokens = 已读的词元，以及读数所代表的权重
price = 存入的值
reads = 读出
softmax = softmax
delta = delta
adding = 相加
value = 值
weight = 权重
query = 查询
sees = 每个词元读
causal = 到它为止
whole = 全部词元
beta = β：改正多少
less = 减小
more = 增大

count = n 个词的计算量
words = 词数 n
half = 词数减半
double = 词数加倍
order = 次序
multiplications = 乘法次数
kept = 要存的数
pairs = (Q Kᵀ) V：所有配对
pairsSoFar = (Q Kᵀ) V：到目前的所有配对

topics = φ(K)：每一列（column）是一个主题，和为 1，点数字可改；右边是这个查询的权重
asks = 查询要的是
topicWeights = 这个查询给各个词的权重

map = 图
exact = softmax
approximate = 近似
difference = 误差
key = 键
features = 随机特征 m
halfFeatures = 特征数减半
doubleFeatures = 特征数加倍
redraw = 重新抽取
errorMap = 错在哪里
errorCurve = 错了多少
relativeError = 全部权重的相对误差
logFeatures = log₂ m
error = 相对误差
thisDraw = 这一次
here = 当前
keys = 月份
smooth = 按顺序：平滑
spiky = 打乱：跳跃
mixtures = 混合
means = 相邻几个的平均
random = 随机
rank = 秩 r
lower = 混合减少
higher = 混合增多
mixture = 混合
share = 月份所占的份额
month = 月份

iterations = 迭代
earlier = 后退一次
later = 再迭代一次
lambda = λ：像素选得多果断
plane = 像素按红、蓝排列，以及拟合它们的基
red = 红
blue = 蓝
pixel = 像素
base = 基
colors = 颜色
picture = 原图
rebuilt = 由基重建
tokenOf = 第 { $t } 个，共 { $n } 个
pairsStored = { $n } 对
divided = { $name } 读出 φ(q)·S ÷ φ(q)·z = { $num } ÷ { $den } = { $out }。
numbersKept = S 和 z 共 { $state } 个数，读多少词元都一样；到目前的键和值有 { $pairs } 个数。
corrected = 这个词元之前，{ $name } 读出 { $old }。状态沿它的键移动 β (v − { $old }) = { $beta } · ({ $value } − { $old }) = { $added }。
fewer = { $times ->
    [1] { $n } 个词时，两种次序的乘法次数差不多。
   *[other] { $n } 个词时，第二种次序的乘法次数约为{ $times ->
        [2] 一半
       *[other] 前一种的 1/{ $times }
    }。
}
moreTimes = 只有 { $n } 个词时，乘法反而是 { $times } 倍：还没有省下什么。
mix = φ(q) = { $positive } · 褒义 + { $negative } · 贬义
norm = 全部权重的相对误差：{ $relative }；单个权重的最大误差：{ $largest }。
seed = 按定义随机，随机种子 { $n }
weightsOf = { $few }/{ $all } 个权重
baseN = 基 { $n }

orders =
    .linear = φ(Q) (φ(K)ᵀ V)：状态
    .linear_rnn = φ(Q) (φ(K)ᵀ V)：状态
    .delta_rule = delta 规则：状态
    .efficient_attention = φ(Q) (φ(K)ᵀ V)：d 个主题
    .performer = φ(Q) (φ(K)ᵀ V)：m 个特征
    .linformer = Q (E K)ᵀ、F V：r 个混合
    .em_attention = X μᵀ：K 个基，I 次

sets =
    .twice = 同一个键两次
fruits =
    .apple = 苹果
    .pear = 梨
    .grape = 葡萄
    .peach = 桃
    .plum = 李子

columns =
    .price = 价格
    .sweet = 甜
    .sour = 酸

months =
    .jan = 1月
    .feb = 2月
    .mar = 3月
    .apr = 4月
    .may = 5月
    .jun = 6月
    .jul = 7月
    .aug = 8月
    .sep = 9月
    .oct = 10月
    .nov = 11月
    .dec = 12月
