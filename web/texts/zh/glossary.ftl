sources =
    .textbooks = 教材用语
    .d2l = 《动手学深度学习》
    .algebra = 线性代数通用术语
    .machineLearning = 机器学习通用术语
    .statistics = 统计学通用术语
    .speech = 语音处理通用术语
    .kept = 沿用公式中的写法
    .page = 本页用语
    .paper = 译自 { $paper }

attention_mechanism =
    .term = 注意力（机制）
    .meaning = 对值做加权求和，权重表示每个键与查询有多相配。

local_m_local_p =
    .term = 单调 / 预测对齐
    .meaning = Luong 的两种局部注意力：窗口放在解码器的当前步（local-m），或放在网络预测的位置（local-p）。

self_attention =
    .term = 自注意力
    .meaning = 查询、键、值都来自同一个序列的注意力：每个词元去看其他词元。

structured_self_attentive =
    .term = 结构化自注意力
    .meaning = 用多组注意力分布把一个句子表示成矩阵，每组分布对应一行。

cross_attention =
    .term = 交叉注意力
    .meaning = 查询来自一个序列、键和值来自另一个序列的注意力，例如解码器读取源句。

hop_multi_hop =
    .term = 跳（多跳）
    .meaning = 对记忆的一次读取；下一跳用这一跳读到的内容继续提问。

multi_head_head =
    .term = 多头 / 头
    .meaning = 并排的多组注意力，每组有自己的投影，输出再拼接起来。

hierarchical =
    .term = 层次
    .meaning = 分两层的注意力：先对每句里的词，再对各个句子。

query_key_value =
    .term = 查询、键、值
    .meaning = 查询负责提问，键说明每个词元提供什么，值是真正被读出的内容。

sparse =
    .term = 稀疏
    .meaning = 只计算一部分查询与键的配对。

key_value_pair =
    .term = 键值对
    .meaning = 注意力可以读取的一个条目：键用来和查询比较，值被取出。

atrous_dilated =
    .term = 空洞
    .meaning = 每隔 k 个位置看一个键，用很少的配对看得很远。

attention_score =
    .term = 注意力分数
    .meaning = 一对查询与键的得分，经过 softmax 才成为权重。

truncated =
    .term = 截断
    .meaning = 查询周围窗口以外的键权重为 0。

scoring_function =
    .term = 打分函数
    .meaning = 把查询和键变成一个数的函数：点积、双线性或一个小网络。

window_stride =
    .term = 窗口 / 步幅
    .meaning = 窗口是查询能看多远，步幅是相邻两个可见的键相隔多少。

attention_weight =
    .term = 注意力权重
    .meaning = 一个值在输出中所占的份额；一个查询的各权重不小于 0，总和为 1。

axial =
    .term = 轴向
    .meaning = 图像中每个像素先沿所在的行、再沿所在的列做注意力。

attention_distribution =
    .term = 注意力分布
    .meaning = 一个查询的全部权重，即各个键的概率分布。

linear_attention =
    .term = 线性注意力
    .meaning = 用 φ(q)·φ(k) 代替 exp 的注意力：键只需累加一次，计算量随 n 增长，而不是 n²。

weighted_sum =
    .term = 加权和
    .meaning = 每个向量乘上自己的权重，再全部相加。

feature_map_of_a_kernel =
    .term = 特征映射
    .meaning = 把相似度写成点积 φ(q)·φ(k) 所用的函数 φ。

scaled_dot_product =
    .term = （缩放）点积
    .meaning = 对应分量相乘再相加；缩放是指再除以 √d，使维度大时分数不至于过大。

random_features =
    .term = 随机特征
    .meaning = 用随机投影的点积近似 softmax 里的指数；特征越多，误差越小。

additive =
    .term = 加性
    .meaning = 用一个小网络打分：v·tanh(W q + U k)。

low_rank =
    .term = 低秩
    .meaning = 把一个大矩阵写成两个窄矩阵的乘积。

bilinear_general =
    .term = 双线性
    .meaning = 分数为 qᵀ W k：由学到的矩阵决定查询和键的哪些部分相对应。

locality_sensitive_hashing =
    .term = 局部敏感哈希
    .meaning = 一种随机函数，相似的向量大概率落进同一个桶。

concatenation =
    .term = 拼接
    .meaning = 把几个向量首尾相接成一个更长的向量。

memory_network =
    .term = 记忆网络
    .meaning = 从一组存下的句子里用注意力读取信息来回答问题的网络，常常要读几跳。

softmax =
    .term = softmax
    .meaning = 把分数变成权重：各自取指数，再除以总和。

episodic_memory =
    .term = 情景记忆
    .meaning = 针对当前问题对各条事实做的摘要，每读一遍就更新一次。

normalization =
    .term = 归一化
    .meaning = 把一组数调整为总和为 1，或均值为 0、方差为 1。

graph_attention =
    .term = 图注意力
    .meaning = 每个节点只看图中邻居的注意力。

temperature =
    .term = 温度
    .meaning = softmax 之前用来除分数的数：大于 1 权重更平均，小于 1 更尖锐。

node_edge =
    .term = 节点、边
    .meaning = 图里的点，以及连接两个点的线。

mask_causal_mask =
    .term = 掩码 / 因果掩码
    .meaning = 规定查询不能看哪些键；因果掩码遮住之后的所有词元。

reinforced_policy_gradient =
    .term = 强化 / 策略梯度
    .meaning = 学习无法求导的选择：带来奖励的选择，概率被调大。

padding =
    .term = 填充
    .meaning = 为了让一批序列等长而补上的内容，注意力不应读到它。

sampling_seed =
    .term = 采样 / 随机种子
    .meaning = 按给定概率随机选取；种子相同，结果就相同。

positional_encoding =
    .term = 位置编码
    .meaning = 加到词元向量上（或用来旋转它）的数，表示词元在第几个位置。

multi_source =
    .term = 多源
    .meaning = 解码器同时对多个源句做注意力。

relative_position =
    .term = 相对位置
    .meaning = 两个词元相隔多远，而不是各自在第几个位置。

attention_over_attention =
    .term = 注意力之上的注意力
    .meaning = 先对问题的词做注意力，再用它衡量每个词对文档的注意力各占多少。

rotary_embedding =
    .term = 旋转位置编码
    .meaning = 按位置旋转查询和键，角度随位置增大，于是分数取决于相隔的距离。

multi_dimensional_directional =
    .term = 多维 / 有向
    .meaning = 多维：每个特征有自己的一组权重。有向：词元只看它之前的，或只看它之后的。

token =
    .term = 词元
    .meaning = 模型一次读入的文本单位：一个词、词的一部分或一个字。

fusion_gate_gating =
    .term = 融合门 / 门控
    .meaning = 一组 0 到 1 之间的数，按特征把两个向量混合起来。

embedding_word_embedding =
    .term = 嵌入 / 词嵌入
    .meaning = 代表一个词元的向量，从学到的表里查出。

pointer_network =
    .term = 指针网络
    .meaning = 答案是输入中的某个位置：注意力权重本身就是输出。

one_hot =
    .term = 独热
    .meaning = 只有一个 1、其余全为 0 的向量：每个词占一条轴。

copy_mechanism =
    .term = 拷贝机制
    .meaning = 解码器可以直接抄写源句里的词，哪怕从没见过这个词。

sequence_labeling =
    .term = 序列标注
    .meaning = 给每个词元一个标签，例如词性。

pointer_generator =
    .term = 指针生成网络
    .meaning = 做摘要的网络：每写一个词，都要决定多大程度从词表生成、多大程度从原文拷贝。

sequence_to_sequence =
    .term = 序列到序列
    .meaning = 把一个序列变成另一个序列的网络，例如把句子译成另一种语言。

coverage =
    .term = 覆盖（机制）
    .meaning = 到目前为止注意力权重的累计，让解码器知道哪些已经读过。

encoder_decoder =
    .term = 编码器、解码器
    .meaning = 编码器读入输入、得到一组向量；解码器根据它们逐个词元写出输出。

out_of_vocabulary_word =
    .term = 未登录词
    .meaning = 模型的词表里没有的词。

hidden_state =
    .term = 隐状态
    .meaning = 循环神经网络用来保存“读到现在为止的内容”的向量。

convolution_receptive_field =
    .term = 卷积 / 感受野
    .meaning = 同一组小权重沿输入滑动；感受野是一个输出所依赖的全部输入范围。

context_vector =
    .term = 上下文向量
    .meaning = 注意力的输出：源句各状态的加权和。

patch_frame =
    .term = 图像块 / 帧
    .meaning = 图像上的一小块；声音的一小段。

alignment =
    .term = 对齐
    .meaning = 译文中的一个词对应源句中的哪些词。

log_mel_spectrogram =
    .term = 对数梅尔谱
    .meaning = 声音各频带随时间的强度，取对数，频带按人耳的分辨方式划分。

soft_hard_attention =
    .term = 软性 / 硬性注意力
    .meaning = 软性注意力按权重混合所有的值，硬性注意力只取其中一个。

recurrent_network =
    .term = 循环神经网络
    .meaning = 逐个词元读入、把状态从一步传到下一步的网络。

focused_saliency =
    .term = 聚焦式 / 显著性
    .meaning = 聚焦式注意力按问题去找；显著性不需要问题，谁突出就看谁。

feed_forward =
    .term = 前馈
    .meaning = 注意力混合各词元之后，对每个词元单独做变换的层。

global_local =
    .term = 全局 / 局部
    .meaning = 全局注意力看整个源句，局部注意力只看一个窗口。

residual_connection =
    .term = 残差连接
    .meaning = 把层的输入加到输出上，这一层只需学习变化的部分。

shape_width =
    .term = 形状 / 维度
    .meaning = 形状是数组沿每条轴的长度；维度是一个向量有多少个分量。

layer_normalization =
    .term = 层归一化
    .meaning = 把每个向量的分量调整到均值 0、方差 1，再乘以并加上学到的数。

complexity =
    .term = 复杂度
    .meaning = 计算量如何随长度增长：所有配对是 n²，线性注意力是 n。

row_column =
    .term = 行（row）/ 列（column）
    .meaning = 行（row）是横的，列（column）是竖的；台湾的用法相反。

permutation_equivariance =
    .term = 置换等变性
    .meaning = 打乱输入的顺序，输出只是跟着换位置：没有位置信息时，注意力不知道先后。

kv_cache =
    .term = 键值缓存
    .meaning = 把之前词元的键和值存起来，生成下一个词元时不必重算。

trace =
    .term = 逐步计算过程
    .meaning = 计算过程中每个有名字的中间结果，按先后排列。

set_by_hand_trained_random =
    .term = 手工设定 / 训练得到 / 随机
    .meaning = 图中的权重是怎么来的。

dense_sparse_mask =
    .term = 稠密 / 稀疏掩码
    .meaning = 稠密掩码允许大部分配对，稀疏掩码只允许少数。

density =
    .term = 密度
    .meaning = 被计算的配对占全部配对的比例。

linear_attention_state =
    .term = 状态
    .meaning = 已读词元的 φ(k) vᵀ 之和：线性注意力对过去只保留这些。

checkpoint_of_training =
    .term = 训练阶段
    .meaning = 训练若干步之后保存下来的一份参数。

sliding_window =
    .term = 滑动窗口
    .meaning = 每个查询只看固定距离内的键，窗口随查询移动。

quantized_int8 =
    .term = 量化（int8）
    .meaning = 把权重存成 8 位整数，每行配一个比例：内存只要四分之一，误差很小。

logits =
    .term = 分数（softmax 之前）
    .meaning = 进入 softmax 之前的分数。

bias =
    .term = 偏置
    .meaning = 不管输入是什么都加上去的数。

rank =
    .term = 秩
    .meaning = 矩阵中相互独立的行数：它最多能区分多少个方向。

entropy =
    .term = 熵
    .meaning = 分布有多分散：一个权重为 1 时是 0，全部相等时最大。

grouped_query_attention =
    .term = 分组查询注意力
    .meaning = 几个查询头共用一个键值头，缓存因此更小。

attention_sink =
    .term = 注意力汇聚点
    .meaning = 当查询没有可读的内容时，承接其权重的词元，多半是第一个。

top_k =
    .term = top-k
    .meaning = 每个查询只有分数最高的 k 个键得到权重。

sparsemax =
    .term = sparsemax
    .meaning = 类似 softmax，但较低的分数权重恰好为 0。

entmax =
    .term = entmax
    .meaning = 介于 softmax 与 sparsemax 之间：平滑，而低分的权重恰好为 0。

argmax =
    .term = argmax
    .meaning = 最大数所在的位置。

episode =
    .term = 情景
    .meaning = 读一遍事实后，为当前问题得到的结果。

selective_read =
    .term = 选择性读取
    .meaning = CopyNet 回看刚才拷贝的位置，以便接着往下抄。

identity_matrix =
    .term = 单位矩阵
    .meaning = 对角线为 1、其余为 0 的矩阵：乘上它，向量不变。

batch =
    .term = 批
    .meaning = 一次调用里一起计算的多个序列。

component =
    .term = 分量
    .meaning = 向量中的一个数。

memory_slot =
    .term = 记忆槽
    .meaning = 记忆中的一个条目：一句话，或一对键和值。

candidate =
    .term = 候选
    .meaning = 可供选择的一个答案。

class =
    .term = 类别
    .meaning = 分类器要区分的种类之一。

base =
    .term = 基
    .meaning = EM 注意力中代表所有像素的少数几个向量之一，通过迭代得到。

timbre =
    .term = 音色
    .meaning = 音高和响度相同的两个声音之间的差别。

round =
    .term = 轮
    .meaning = 用新的随机方向做一次哈希；轮数越多，漏掉的配对越少。

numerator_denominator =
    .term = 分子、分母
    .meaning = 分数线之上和之下的部分。

similarity =
    .term = 相似度
    .meaning = 两个向量越相像就越大的数。

vocabulary =
    .term = 词表
    .meaning = 模型认识的全部词元。

tokenizer =
    .term = 分词器
    .meaning = 把文本切成词元的程序。

cosine =
    .term = 余弦
    .meaning = 两个向量的点积除以各自的长度：方向相同为 1，垂直为 0。

beam_search =
    .term = 束搜索
    .meaning = 同时续写几个未完成的句子，每一步只留下概率最高的几个。

first_position =
    .term = 首个位置
    .meaning = 第一个词元的位置编号。

nat_unit_of_entropy =
    .term = 奈特
    .meaning = 用自然对数计算熵的单位：ln 2 奈特等于 1 比特。

concentration =
    .term = 集中程度
    .meaning = 一行中最大的权重：全部给一个键时为 1。

contribution =
    .term = 贡献
    .meaning = 键的权重乘以它的值的长度：它给输出加了多少。

normalizer =
    .term = 归一化
    .meaning = 把一行分数变成权重的函数：softmax、sparsemax、sigmoid 等。

gate =
    .term = 门
    .meaning = 0 到 1 之间的数，决定放过多少。

update_gate_reset_gate =
    .term = 更新门 / 重置门
    .meaning = GRU 中的两个门：状态替换多少，以及计算新内容时参考多少旧状态。

forget_gate =
    .term = 遗忘门
    .meaning = LSTM 中的门：细胞状态保留多少。

cell_state =
    .term = 细胞状态
    .meaning = LSTM 的第二个向量，负责长距离的记忆。

pass =
    .term = 遍
    .meaning = 把全部事实从头到尾读一次。

bucket =
    .term = 桶
    .meaning = 哈希值相同的一组向量。

spectrogram =
    .term = 声谱图
    .meaning = 声音各个频率随时间的强度。

centered =
    .term = 中心化
    .meaning = 减去均值，使均值为 0。

relative_error =
    .term = 相对误差
    .meaning = 误差除以真值。

topic =
    .term = 主题
    .meaning = Efficient Attention 中键特征的一列：在所有词元上的一个分布。

mixture =
    .term = 混合
    .meaning = 由多个向量加权相加得到的向量，Linformer 就这样合并所有的键。

iteration =
    .term = 迭代
    .meaning = 反复改进结果的计算中的一次。

penalty =
    .term = 惩罚项
    .meaning = 损失中的一项，出现不想要的情况时变大。

pooling =
    .term = 汇聚
    .meaning = 用均值、最大值或总和把许多向量变成一个。

bigram =
    .term = 二元语法
    .meaning = 相邻的两个词元。

coverage_loss =
    .term = 覆盖损失
    .meaning = 对重复读取已读内容的惩罚。

gaussian =
    .term = 高斯
    .meaning = 钟形曲线：中心最大，向两侧减小。

premise_hypothesis =
    .term = 前提 / 假设
    .meaning = 前提是给定的句子；假设是要判断能否由前提推出的句子。

quartile =
    .term = 四分位数
    .meaning = 有四分之一的数小于（或大于）它的那个值。

multiply_add =
    .term = 乘加
    .meaning = 一次乘法加一次加法：这里计算量的单位。
