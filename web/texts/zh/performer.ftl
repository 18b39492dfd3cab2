question = 随机数能代替 softmax 吗？
doThis = 不断把特征数减半，每次都重新抽取几遍：特征越少，误差越靠运气。
live = 用 { $features } 个随机特征，单个权重的最大误差是 { $largest }，平均 { $mean }。第一个权重：{ $first }。
contrast = elu + 1 有自己的一套权重，与 softmax 无关。Performer 的特征平均起来正是 softmax：特征足够多，就回到它的权重。
history = 用 softmax 训练好的 Transformer 不能直接换成 elu + 1。Choromanski（2020）抽取随机特征，其乘积的平均是 e^(q·k)。但误差降得慢，后来被加速后的精确注意力（FlashAttention，2022）取代。

four_times_the_features =
    .question = 随机特征增加到四倍，误差平均缩小到多少？
    .choice1 = 约二分之一
    .choice2 = 约四分之一
    .choice3 = 约十六分之一
    .shown = { $draws } 次抽取的平均误差从 { $few } 降到 { $many }，是原来的 { $ratio }：按平方根下降。
