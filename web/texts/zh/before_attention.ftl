title = 注意力与它之前的做法
word = 词
model = 模型
change = 输出的变化
attention = 注意力
picture = 把一个词从 0 改成 1。每个格子是该处的输出改变了多少。

sliders-words =
    .label = 词数

sliders-frames =
    .label = 帧数

sliders-kept =
    .label = 上一个隐状态的系数

sliders-context =
    .label = 左右各看几帧

sliders-layers =
    .label = 层数

sliders-kernel =
    .label = 卷积核宽度

facts =
    .path = 从被改的词走到最远的词要几步
    .inTurn = 必须逐个等待的步数
    .pairs = 要计算的分数个数
    .frames = 一个输出能看到的帧数
    .weights = 要学的参数个数（每帧 40 个数，64 个单元）
    .field = 感受野里的词数

row =
    .attention = 注意力
    .recurrent = 循环网络
    .window = 窗口
    .layer = 第 { $n } 层

recurrent =
    .title = 与循环神经网络对照
    .question = 读到最后一个词时，第一个词还剩多少？
    .other = 循环神经网络
    .body = 循环神经网络把隐状态一个词一个词地往后传：每走一步，第 1 个词留下的部分就再乘一次系数，而且必须等前一步算完。注意力在每个位置都能直接读到第 1 个词，所有位置同时计算；代价是每对词都要算一个分数。

fullyConnected =
    .title = 与窗口上的全连接网络对照
    .question = 11 帧的窗口能代替注意力吗？
    .other = 全连接窗口
    .body = 左右各看 5 帧，窗口就是 11 帧。窗口外的内容对输出毫无影响。窗口开大能看得更远，但要学的参数也跟着变多，而且要开到最长的序列那么大。注意力无论序列多长，都只学三个矩阵。

convolution =
    .title = 与卷积对照
    .question = 要叠几层，所有的词才都见过面？
    .other = 卷积
    .body = 宽度为 3 的卷积核左右各看一个词，所以每多一层，感受野只加宽两个词。相距远的词要隔很多层才能相遇，而且影响已经很弱。注意力一层就能看到整个序列，看哪里由输入决定。
