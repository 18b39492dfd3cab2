question = 如果只让最好的几个键分享权重呢？
doThis = 把 k 从 1 调到 4；再把第三个分数拖到第二个之上，它就取而代之。
live = 权重是 { $weights }：有 { $kept } 个键参加。
contrast = top-k 保留固定个数的键；sparsemax 由分数自己决定留下几个。
history = 输入很长时，softmax 把零碎权重撒在成千上万个无用的键上。只留前 k 个（2021）省内存、损失小；但第 k 名处仍有跳变。

zero_score =
    .question = 分数是 1.2、0.4，另外三个不该算的键设为 0。它们的权重是 0 吗？
    .choice1 = 是
    .choice2 = 不是
    .shown = 分数 0：{ $zero }。分数 −∞（掩码）：{ $masked }。

masked_row =
    .question = 一个查询的所有键都被掩码，它的权重是什么？
    .choice1 = 全都相同，平均分配
    .choice2 = 全是 0
    .choice3 = 不是数
    .shown = { $weights }：这里全为 0，许多库给出 NaN。输出也是 0。
