question = 同一个状态既要被找到、又要被读取、还要预测下一个词，忙得过来吗？
doThis = 选“他”，先改它的预测，再改它的键：什么变了？然后缩短窗口，直到忘掉“小明”。
live = “他”给“小明” { $he }，“它”给“鱼” { $it }。
contrast = 这里用权重在最近 L 个词里挑选；那里不挑选，每个距离读各自固定的一部分状态。
history = 带注意力的语言模型让一个向量身兼三职，互相干扰。拆成三份（2017）有所改善，但注意力仍只落在最近五个词左右。Transformer 用投影把每个词元的键和值分开。

change_prediction =
    .question = 把“他”的 p 部分换成别的，“他”的权重变多少？
    .choice1 = 完全不变
    .choice2 = 变一点
    .choice3 = 转到另一个词
    .shown = 权重变化 { $weights }，输出变化 { $output }：p 不参与任何分数。

textbook1 =
    .writes = W_Y Y_t + (W_h h_t)·1ᵀ，每列是一个词
    .means = 这里每行是一个词：Y_t W_Y + k_t W_h，参与的只有键。
