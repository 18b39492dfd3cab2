import type { Localized } from '../../shell/localized.ts';

const says = (en: string, zh: string): Localized => ({ en, zh });

/** The meaning of each term of the glossary, in a sentence, under its English name. */
export const DEFINITIONS: Readonly<Record<string, Localized>> = {
  'attention (mechanism)': says(
    'A weighted sum of values, whose weights say how well each key fits the query.',
    '对值做加权求和，权重表示每个键与查询有多相配。',
  ),
  'local-m / local-p': says(
    'Luong’s two local attentions: the window stands at the decoder’s own step (local-m), or where the network predicts (local-p).',
    'Luong 的两种局部注意力：窗口放在解码器的当前步（local-m），或放在网络预测的位置（local-p）。',
  ),
  'self-attention': says(
    'Attention whose queries, keys and values all come from one sequence, so that each token looks at the others.',
    '查询、键、值都来自同一个序列的注意力：每个词元去看其他词元。',
  ),
  'structured self-attentive': says(
    'A sentence becomes a matrix: several attention distributions over its words, each a row.',
    '用多组注意力分布把一个句子表示成矩阵，每组分布对应一行。',
  ),
  'cross-attention': says(
    'Attention whose queries come from one sequence, and keys and values from another: a decoder reads its source.',
    '查询来自一个序列、键和值来自另一个序列的注意力，例如解码器读取源句。',
  ),
  'hop (multi-hop)': says(
    'One reading of the memory; the next reading asks with what this one found.',
    '对记忆的一次读取；下一跳用这一跳读到的内容继续提问。',
  ),
  'multi-head / head': says(
    'Several attentions side by side, each with projections of its own; their outputs are joined.',
    '并排的多组注意力，每组有自己的投影，输出再拼接起来。',
  ),
  hierarchical: says(
    'Attention on two levels: over the words of each sentence, then over the sentences.',
    '分两层的注意力：先对每句里的词，再对各个句子。',
  ),
  'query, key, value': says(
    'The query asks, each key says what its token offers, and the value is what is read from it.',
    '查询负责提问，键说明每个词元提供什么，值是真正被读出的内容。',
  ),
  sparse: says('Only some pairs of query and key are computed.', '只计算一部分查询与键的配对。'),
  'key-value pair': says(
    'One entry that attention can read: the key is compared with the query, the value is returned.',
    '注意力可以读取的一个条目：键用来和查询比较，值被取出。',
  ),
  'atrous (dilated)': says(
    'A query sees only every k-th key, so that few pairs reach far.',
    '每隔 k 个位置看一个键，用很少的配对看得很远。',
  ),
  'attention score': says(
    'A number for a pair of query and key, before softmax makes a weight of it.',
    '一对查询与键的得分，经过 softmax 才成为权重。',
  ),
  truncated: says('Keys outside a window around the query have weight 0.', '查询周围窗口以外的键权重为 0。'),
  'scoring function': says(
    'How a query and a key become one number: dot product, bilinear form, a small network.',
    '把查询和键变成一个数的函数：点积、双线性或一个小网络。',
  ),
  'window / stride': says(
    'The window is how far a query sees; the stride is the distance from one seen key to the next.',
    '窗口是查询能看多远，步幅是相邻两个可见的键相隔多少。',
  ),
  'attention weight': says(
    'The share of a value in the output; the weights of a query are at least 0 and sum to 1.',
    '一个值在输出中所占的份额；一个查询的各权重不小于 0，总和为 1。',
  ),
  axial: says(
    'In an image each pixel attends along its row, then along its column.',
    '图像中每个像素先沿所在的行、再沿所在的列做注意力。',
  ),
  'attention distribution': says(
    'All weights of one query: a probability for each key.',
    '一个查询的全部权重，即各个键的概率分布。',
  ),
  'linear attention': says(
    'Attention with φ(q)·φ(k) in place of exp: the keys are summed up once, so that the work grows with n and not with n².',
    '用 φ(q)·φ(k) 代替 exp 的注意力：键只需累加一次，计算量随 n 增长，而不是 n²。',
  ),
  'weighted sum': says('Each vector times its weight, all added up.', '每个向量乘上自己的权重，再全部相加。'),
  'feature map (of a kernel)': says(
    'The function φ with which a similarity becomes the dot product φ(q)·φ(k).',
    '把相似度写成点积 φ(q)·φ(k) 所用的函数 φ。',
  ),
  '(scaled) dot product': says(
    'Components multiplied pairwise and added; scaled: divided by √d, so that scores stay moderate in many dimensions.',
    '对应分量相乘再相加；缩放是指再除以 √d，使维度大时分数不至于过大。',
  ),
  'random features': says(
    'Random projections whose dot products approximate softmax’s exponential; more of them, less error.',
    '用随机投影的点积近似 softmax 里的指数；特征越多，误差越小。',
  ),
  additive: says('The score of a small network: v·tanh(W q + U k).', '用一个小网络打分：v·tanh(W q + U k)。'),
  'low-rank': says('A large matrix written as a product of two narrow ones.', '把一个大矩阵写成两个窄矩阵的乘积。'),
  'bilinear (general)': says(
    'The score qᵀ W k: a learned matrix says which parts of query and key belong together.',
    '分数为 qᵀ W k：由学到的矩阵决定查询和键的哪些部分相对应。',
  ),
  'locality-sensitive hashing': says(
    'A random function that puts similar vectors into the same bucket with high probability.',
    '一种随机函数，相似的向量大概率落进同一个桶。',
  ),
  concatenation: says('Vectors written one after the other as one longer vector.', '把几个向量首尾相接成一个更长的向量。'),
  'memory network': says(
    'A network that answers from a list of stored sentences, reading them by attention, often in several hops.',
    '从一组存下的句子里用注意力读取信息来回答问题的网络，常常要读几跳。',
  ),
  softmax: says(
    'Makes weights of scores: the exponential of each, divided by the sum of all.',
    '把分数变成权重：各自取指数，再除以总和。',
  ),
  'episodic memory': says(
    'A summary of the facts for this question, made anew in each pass over them.',
    '针对当前问题对各条事实做的摘要，每读一遍就更新一次。',
  ),
  normalization: says(
    'Numbers divided so that they sum to 1, or brought to mean 0 and variance 1.',
    '把一组数调整为总和为 1，或均值为 0、方差为 1。',
  ),
  'graph attention': says('Attention in which each node sees only its neighbors in a graph.', '每个节点只看图中邻居的注意力。'),
  temperature: says(
    'The number that scores are divided by before softmax: above 1 the weights become more even, below 1 sharper.',
    'softmax 之前用来除分数的数：大于 1 权重更平均，小于 1 更尖锐。',
  ),
  'node, edge': says('A graph’s points, and the links between two of them.', '图里的点，以及连接两个点的线。'),
  'mask / causal mask': says(
    'Says which keys a query may not see; the causal mask hides all later tokens.',
    '规定查询不能看哪些键；因果掩码遮住之后的所有词元。',
  ),
  'reinforced / policy gradient': says(
    'Learning a choice that has no derivative: choices that led to reward are made more likely.',
    '学习无法求导的选择：带来奖励的选择，概率被调大。',
  ),
  padding: says(
    'Filler that makes sequences of a batch equally long; attention must not read it.',
    '为了让一批序列等长而补上的内容，注意力不应读到它。',
  ),
  'sampling / seed': says(
    'Choosing at random by given probabilities; the same seed gives the same choices again.',
    '按给定概率随机选取；种子相同，结果就相同。',
  ),
  'positional encoding': says(
    'Numbers added to a token’s vector, or rotations of it, that tell where the token stands.',
    '加到词元向量上（或用来旋转它）的数，表示词元在第几个位置。',
  ),
  'multi-source': says('A decoder that attends to several source sentences at once.', '解码器同时对多个源句做注意力。'),
  'relative position': says(
    'The distance from one token to another, in place of where each stands.',
    '两个词元相隔多远，而不是各自在第几个位置。',
  ),
  'attention-over-attention': says(
    'Attention over the question’s words decides how much each of their attentions over the document counts.',
    '先对问题的词做注意力，再用它衡量每个词对文档的注意力各占多少。',
  ),
  'rotary embedding': says(
    'Queries and keys are rotated by angles that grow with the position, so that a score depends on the distance.',
    '按位置旋转查询和键，角度随位置增大，于是分数取决于相隔的距离。',
  ),
  'multi-dimensional / directional': says(
    'Multi-dimensional: every feature has attention weights of its own. Directional: a token sees only those before it, or only those after.',
    '多维：每个特征有自己的一组权重。有向：词元只看它之前的，或只看它之后的。',
  ),
  token: says(
    'The piece of text that a model reads as one: a word, a part of one, a character.',
    '模型一次读入的文本单位：一个词、词的一部分或一个字。',
  ),
  'fusion gate / gating': says(
    'Numbers from 0 to 1 that mix two vectors, feature by feature.',
    '一组 0 到 1 之间的数，按特征把两个向量混合起来。',
  ),
  'embedding / word embedding': says(
    'The vector that stands for a token, read from a learned table.',
    '代表一个词元的向量，从学到的表里查出。',
  ),
  'pointer network': says(
    'Its answer is a position in the input: the attention weights themselves are the output.',
    '答案是输入中的某个位置：注意力权重本身就是输出。',
  ),
  'one-hot': says(
    'A vector with a single 1 and zeros elsewhere: one axis for each word.',
    '只有一个 1、其余全为 0 的向量：每个词占一条轴。',
  ),
  'copy mechanism': says(
    'The decoder can write a word of the source as it stands, even one that it has never seen.',
    '解码器可以直接抄写源句里的词，哪怕从没见过这个词。',
  ),
  'sequence labeling': says('A label for each token, such as its part of speech.', '给每个词元一个标签，例如词性。'),
  'pointer-generator': says(
    'A summarizer that for each word decides how far to generate it from its vocabulary and how far to copy it from the source.',
    '做摘要的网络：每写一个词，都要决定多大程度从词表生成、多大程度从原文拷贝。',
  ),
  'sequence to sequence': says(
    'A network that turns one sequence into another, such as a sentence into its translation.',
    '把一个序列变成另一个序列的网络，例如把句子译成另一种语言。',
  ),
  coverage: says(
    'The sum of all attention weights so far, which tells the decoder what it has read already.',
    '到目前为止注意力权重的累计，让解码器知道哪些已经读过。',
  ),
  'encoder, decoder': says(
    'The encoder reads the input and makes vectors of it; the decoder writes the output from them, token by token.',
    '编码器读入输入、得到一组向量；解码器根据它们逐个词元写出输出。',
  ),
  'out-of-vocabulary word': says('A word that the model’s vocabulary does not have.', '模型的词表里没有的词。'),
  'hidden state': says(
    'The vector in which a recurrent network keeps what it has read so far.',
    '循环神经网络用来保存“读到现在为止的内容”的向量。',
  ),
  'convolution / receptive field': says(
    'The same small weights slid along the input; the receptive field is all of the input that one output depends on.',
    '同一组小权重沿输入滑动；感受野是一个输出所依赖的全部输入范围。',
  ),
  'context vector': says(
    'What attention returns: the weighted sum of the source’s states.',
    '注意力的输出：源句各状态的加权和。',
  ),
  'patch / frame': says('A small square of an image; a short piece of sound.', '图像上的一小块；声音的一小段。'),
  alignment: says('Which words of the source belong to a word of the translation.', '译文中的一个词对应源句中的哪些词。'),
  'log-mel spectrogram': says(
    'How loud each pitch band of a sound is over time, on a logarithmic scale and with bands as the ear parts them.',
    '声音各频带随时间的强度，取对数，频带按人耳的分辨方式划分。',
  ),
  'soft / hard attention': says(
    'Soft attention mixes all values by their weights; hard attention takes one of them.',
    '软性注意力按权重混合所有的值，硬性注意力只取其中一个。',
  ),
  'recurrent network': says(
    'A network that reads token by token and carries a state from each step to the next.',
    '逐个词元读入、把状态从一步传到下一步的网络。',
  ),
  'focused / saliency': says(
    'Focused attention looks for what a question asks; saliency is drawn by what stands out, without a question.',
    '聚焦式注意力按问题去找；显著性不需要问题，谁突出就看谁。',
  ),
  'feed-forward': says(
    'The layers that treat each token by itself, after attention has mixed them.',
    '注意力混合各词元之后，对每个词元单独做变换的层。',
  ),
  'global / local': says(
    'Global attention sees all of the source, local attention a window of it.',
    '全局注意力看整个源句，局部注意力只看一个窗口。',
  ),
  'residual connection': says(
    'A layer’s input is added to its output, so that the layer learns only the change.',
    '把层的输入加到输出上，这一层只需学习变化的部分。',
  ),
  'shape / width': says(
    'The shape is how long an array is along each axis; the width is how many components a vector has.',
    '形状是数组沿每条轴的长度；维度是一个向量有多少个分量。',
  ),
  'layer normalization': says(
    'The components of each vector are brought to mean 0 and variance 1, then scaled and shifted by learned numbers.',
    '把每个向量的分量调整到均值 0、方差 1，再乘以并加上学到的数。',
  ),
  complexity: says(
    'How the work grows with the length: n² for all pairs, n for linear attention.',
    '计算量如何随长度增长：所有配对是 n²，线性注意力是 n。',
  ),
  'row / column': says(
    'A row runs across, a column down. In Taiwan the two Chinese words are exchanged.',
    '行（row）是横的，列（column）是竖的；台湾的用法相反。',
  ),
  'permutation equivariance': says(
    'Tokens in another order give the same outputs in that order: without positions attention does not know the order.',
    '打乱输入的顺序，输出只是跟着换位置：没有位置信息时，注意力不知道先后。',
  ),
  'KV cache': says(
    'Keys and values of past tokens, kept so that the next token need not compute them again.',
    '把之前词元的键和值存起来，生成下一个词元时不必重算。',
  ),
  trace: says('Every named intermediate of a computation, in order.', '计算过程中每个有名字的中间结果，按先后排列。'),
  'set by hand / trained / random': says('Where the weights of a picture come from.', '图中的权重是怎么来的。'),
  'dense / sparse mask': says(
    'A dense mask allows most pairs, a sparse one few.',
    '稠密掩码允许大部分配对，稀疏掩码只允许少数。',
  ),
  density: says('The share of all pairs that are computed.', '被计算的配对占全部配对的比例。'),
  'linear attention state': says(
    'The sum of φ(k) vᵀ over the tokens read: all that linear attention keeps of the past.',
    '已读词元的 φ(k) vᵀ 之和：线性注意力对过去只保留这些。',
  ),
  'checkpoint (of training)': says(
    'The weights as they were after so many steps of training.',
    '训练若干步之后保存下来的一份参数。',
  ),
  'sliding window': says(
    'Each query sees the keys within a fixed distance; the window moves along with it.',
    '每个查询只看固定距离内的键，窗口随查询移动。',
  ),
  'quantized (int8)': says(
    'Weights kept as 8-bit integers and one scale for each row: a quarter of the memory, a small error.',
    '把权重存成 8 位整数，每行配一个比例：内存只要四分之一，误差很小。',
  ),
  logits: says('Scores as they go into softmax.', '进入 softmax 之前的分数。'),
  bias: says('A number that is added whatever the input is.', '不管输入是什么都加上去的数。'),
  rank: says(
    'How many independent rows a matrix has: how much it can tell apart.',
    '矩阵中相互独立的行数：它最多能区分多少个方向。',
  ),
  entropy: says(
    'How spread out a distribution is: 0 where one weight is 1, largest where all are equal.',
    '分布有多分散：一个权重为 1 时是 0，全部相等时最大。',
  ),
  'grouped-query attention': says(
    'Several query heads share one head of keys and values, so that the cache is smaller.',
    '几个查询头共用一个键值头，缓存因此更小。',
  ),
  'attention sink': says(
    'A token, mostly the first, that takes the weight of queries that find nothing to read.',
    '当查询没有可读的内容时，承接其权重的词元，多半是第一个。',
  ),
  'top-k': says('Only the k largest scores of a query get a weight.', '每个查询只有分数最高的 k 个键得到权重。'),
  sparsemax: says('Like softmax, but low scores get a weight of exactly 0.', '类似 softmax，但较低的分数权重恰好为 0。'),
  entmax: says(
    'Between softmax and sparsemax: smooth, and yet exactly 0 for low scores.',
    '介于 softmax 与 sparsemax 之间：平滑，而低分的权重恰好为 0。',
  ),
  argmax: says('The position of the largest number.', '最大数所在的位置。'),
  episode: says('What one pass over the facts has found for the question.', '读一遍事实后，为当前问题得到的结果。'),
  'selective read': says(
    'CopyNet’s look at the position of the source from which it has just copied, so that it goes on there.',
    'CopyNet 回看刚才拷贝的位置，以便接着往下抄。',
  ),
  'identity matrix': says(
    'Ones on the diagonal, zeros elsewhere: it leaves every vector as it is.',
    '对角线为 1、其余为 0 的矩阵：乘上它，向量不变。',
  ),
  batch: says('Several sequences that are computed in one call.', '一次调用里一起计算的多个序列。'),
  component: says('One of the numbers of a vector.', '向量中的一个数。'),
  'memory slot': says(
    'One stored entry of a memory: a sentence, or a key and its value.',
    '记忆中的一个条目：一句话，或一对键和值。',
  ),
  candidate: says('One of the answers that can be chosen.', '可供选择的一个答案。'),
  class: says('One of the kinds that a classifier tells apart.', '分类器要区分的种类之一。'),
  base: says(
    'In EM attention, one of the few vectors that stand for all pixels, found by iteration.',
    'EM 注意力中代表所有像素的少数几个向量之一，通过迭代得到。',
  ),
  timbre: says('What tells two sounds of one pitch and loudness apart.', '音高和响度相同的两个声音之间的差别。'),
  round: says(
    'One hashing with fresh random directions; more rounds miss fewer pairs.',
    '用新的随机方向做一次哈希；轮数越多，漏掉的配对越少。',
  ),
  'numerator, denominator': says('What is above and what is below the line of a fraction.', '分数线之上和之下的部分。'),
  similarity: says('A number that is large where two vectors are alike.', '两个向量越相像就越大的数。'),
  vocabulary: says('All tokens that a model knows.', '模型认识的全部词元。'),
  tokenizer: says('What cuts a text into tokens.', '把文本切成词元的程序。'),
  cosine: says(
    'The dot product of two vectors divided by their lengths: 1 for the same direction, 0 for a right angle.',
    '两个向量的点积除以各自的长度：方向相同为 1，垂直为 0。',
  ),
  'beam search': says(
    'Writing with several unfinished sentences side by side, of which the likeliest are kept at each step.',
    '同时续写几个未完成的句子，每一步只留下概率最高的几个。',
  ),
  'first position': says('The number that the first token is given.', '第一个词元的位置编号。'),
  'nat (unit of entropy)': says(
    'Entropy by the natural logarithm: ln 2 nats are one bit.',
    '用自然对数计算熵的单位：ln 2 奈特等于 1 比特。',
  ),
  concentration: says('The largest weight of a row: 1 where all goes to one key.', '一行中最大的权重：全部给一个键时为 1。'),
  contribution: says(
    'A key’s weight times the length of its value: what it adds to the output.',
    '键的权重乘以它的值的长度：它给输出加了多少。',
  ),
  normalizer: says(
    'What makes weights of a row of scores: softmax, sparsemax, sigmoid and others.',
    '把一行分数变成权重的函数：softmax、sparsemax、sigmoid 等。',
  ),
  gate: says('A number from 0 to 1 that says how much passes.', '0 到 1 之间的数，决定放过多少。'),
  'update gate / reset gate': says(
    'In a GRU: how much of the state is replaced, and how much of it the new content sees.',
    'GRU 中的两个门：状态替换多少，以及计算新内容时参考多少旧状态。',
  ),
  'forget gate': says('In an LSTM: how much of the cell state is kept.', 'LSTM 中的门：细胞状态保留多少。'),
  'cell state': says(
    'An LSTM’s second vector, which keeps things over long distances.',
    'LSTM 的第二个向量，负责长距离的记忆。',
  ),
  pass: says('One reading of all facts from the first to the last.', '把全部事实从头到尾读一次。'),
  bucket: says('The group of vectors that got the same hash.', '哈希值相同的一组向量。'),
  spectrogram: says('How loud each pitch of a sound is over time.', '声音各个频率随时间的强度。'),
  centered: says('With the mean taken away, so that it is 0.', '减去均值，使均值为 0。'),
  'relative error': says('The error divided by the true value.', '误差除以真值。'),
  topic: says(
    'In Efficient Attention, one column of the keys’ features: a distribution over all tokens.',
    'Efficient Attention 中键特征的一列：在所有词元上的一个分布。',
  ),
  mixture: says(
    'A vector that is a weighted sum of several others, as Linformer makes of all keys.',
    '由多个向量加权相加得到的向量，Linformer 就这样合并所有的键。',
  ),
  iteration: says('One repetition of a computation that improves its result each time.', '反复改进结果的计算中的一次。'),
  penalty: says('A term of the loss that is large where something is not wanted.', '损失中的一项，出现不想要的情况时变大。'),
  pooling: says('Many vectors made into one, by their mean, maximum or sum.', '用均值、最大值或总和把许多向量变成一个。'),
  bigram: says('Two tokens that stand next to each other.', '相邻的两个词元。'),
  'coverage loss': says('A penalty for reading again what has been read already.', '对重复读取已读内容的惩罚。'),
  Gaussian: says('The bell curve: largest at its center, falling off to both sides.', '钟形曲线：中心最大，向两侧减小。'),
  'premise / hypothesis': says(
    'The sentence that is given, and the one of which it is asked whether it follows.',
    '前提是给定的句子；假设是要判断能否由前提推出的句子。',
  ),
  quartile: says('A value with a quarter of all numbers below it, or above.', '有四分之一的数小于（或大于）它的那个值。'),
  'multiply-add': says(
    'One multiplication and one addition: the unit in which work is counted here.',
    '一次乘法加一次加法：这里计算量的单位。',
  ),
};
