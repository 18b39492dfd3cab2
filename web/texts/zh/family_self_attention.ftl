patternNames =
    .previous = 前一个词
    .next = 后一个词
    .same = 相同的词
    .first = 首词
    .diagonal = 对角线：自己
    .uniform = 均匀

mapNames =
    .weights = 权重
    .head = 头 { $n }
    .feature = 特征 { $n }
    .allFeatures = 全部特征（彼此相同）
    .encoder = 编码器第 { $n } 层
    .decoder = 解码器第 { $n } 层
    .cross = 交叉注意力第 { $n } 层
    .forward = 往前看
    .forwardFeature = 往前看，特征 { $n }
    .backward = 往后看
    .backwardFeature = 往后看，特征 { $n }

longText = 你的长文本，最多 2000 个词元
query = 查询
key = 键
weight = 权重
length = ‖值‖
contribution = 权重 × ‖值‖
contributionNote = 键给输出加上的是“权重 × 值”。权重大，本身并不是解释。
maps = 全部图，共用 0 到 1 的色标
heads = 打开或关掉头
output = 所选词的输出
sentence = 追的是
last = 它怎么了
layers = 看哪一层
layer = 第 { $n } 层
positions = 位置编码 E
position = 位置
axis = 轴
positionNumber = 数值
products = 两个位置编码的点积
distance = 距离 j − i
from = 从 { $word } 起
weightByDistance = { $word } 的权重随距离的变化
turns = 旋转之后的查询与键，一对一对地看
pair = 第 { $n } 对
queryOf = 查询 { $word }
keyOf = 键 { $word }
table = 键的表，每个距离一个分数
slope = 头 { $n } 的斜率
alpha = α：每远一步扣多少分
start = 首个位置
scale = 缩放
c = c：分数的范围是 −c 到 c
resample = 重新采样
seed = 随机种子 { $n }
kept = 作为键留下
keepProbability = 留下的概率
phrase = 短语
addWord = 加上 { $word }
removeWord = 去掉最后一个词
next = 下一个词
probability = 概率
step = 写出的词
stepBack = 后退一个词
stepOn = 再写一个词
stepOf = 第 { $n } 个，共 { $all } 个
written = 已写出

sides-multi_head =
    .label = 头
    .designed = 四个
    .without = 并成一个

sides-multi_query =
    .label = 查询
    .designed = 三个
    .without = 三者平均

sides-split_heads =
    .label = 向量
    .designed = 切成两半
    .without = 不切分

sides-two_stage_heads =
    .label = 第二级
    .designed = 每头一个问题
    .without = 两头都问同一个词

sides-sinusoidal =
    .label = 查询矩阵 W_q
    .designed = 转一步
    .without = 不转

sides-learned_positions =
    .label = 位置
    .designed = 开
    .without = 关

sides-recurrent_positions =
    .label = 循环单元
    .designed = 往前走
    .without = 不动

sides-relative_positions =
    .label = 表
    .designed = 在 −1 处高
    .without = 在 +1 处高

sides-rope =
    .label = 查询
    .designed = 比键落后一步
    .without = 与键相同

sides-alibi =
    .label = 偏置
    .designed = 随距离
    .without = 关

sides-distance_self_attention =
    .label = 距离
    .designed = 起作用，α = 1.5
    .without = 不起作用，α = 0

sides-disan =
    .label = 特征
    .designed = 各有权重
    .without = 权重相同

sides-resa =
    .label = 留下
    .designed = 实词
    .without = 全部词

sides-transformer =
    .label = 位置
    .designed = 开
    .without = 关

sides-transformer_generate =
    .label = 位置
    .designed = 开
    .without = 关
