question = 每一步都要读完整个原文吗？只看一个窗口够不够？
doThis = 沿着原文拖动中心，看权重之和。再关掉高斯，拖动一次。
live = 第 2 步的中心是 { $center }，权重之和是 { $sum }，小于 1。
contrast = 全局注意力每一步都给所有源词打分；这里原文再长，最多也只有 2D + 1 个。
history = 每一步都给整段文章打分代价太高，硬性注意力又不能用梯度训练。Luong（2015）取一个窗口，高斯让梯度能传到窗口的中心。后来 Longformer（2020）的滑动窗口延续了这个想法。

center_moves =
    .question = 预测对齐（local-p），D = 2：中心从 3.2 移到 3.6，什么会变？
    .choice1 = 什么都不变
    .choice2 = 只有权重
    .choice3 = 窗口里换了词
    .shown = 两次窗口里都是第 { $kept } 号词（从 0 数）。权重从 { $from } 变成 { $to }。

center_moves_flat =
    .question = 同样从 3.2 移到 3.6，但关掉高斯。这次什么会变？
    .choice1 = 什么都不变
    .choice2 = 权重
    .shown = 窗口里每个词移动前是 { $before }，移动后是 { $after }。中心移动而结果不变，就没有梯度可学。

window_edge =
    .question = 有高斯，σ = D/2。窗口边缘上的词，权重要乘以多少？
    .choice1 = 0：渐渐消失
    .choice2 = 约 0.14
    .choice3 = 一半
    .shown = 乘以 { $factor }，即 e 的 −2 次方。再远一个词，权重就是 0：边缘仍然有跳变。

textbook1 =
    .writes = 窗口外“注意力设为0”
    .means = 权重为 0，也就是分数为 −∞。若只把分数设为 0，仍会分到权重。
