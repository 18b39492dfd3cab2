question = 为什么在 softmax 之前，要把分数除以 √d？
doThis = 把除数从 √3 换成 1，看第三个查询的最大权重怎样变。再拖动一个分数，看它的权重怎样变。
live = 第一个查询的分数是 { $scores }，权重是 { $weights }：分数相同，权重就相同。
contrast = 点积注意力不除以 √d。向量越长，分数的波动越大（标准差为 √d）。
history = 维度大时，Luong 的点积不如加性注意力。Transformer（2017）把点积除以 √d，既快又稳，此后几乎成为所有模型的默认选择。

score_rises =
    .question = 一个查询的分数是 2、4、4，第二个升到 6。第三个权重会怎样？
    .choice1 = 不变，因为它的分数没变
    .choice2 = 变小
    .choice3 = 变大
    .shown = 从 { $before } 变为 { $after }：权重之和为 1，一个键多得的，就是别的键失去的。

double_scores =
    .question = 把一行分数都乘以 2：1、2、3 变成 2、4、6。权重会怎样？
    .choice1 = 不变
    .choice2 = 更集中
    .choice3 = 更平均
    .shown = 最大的权重从 { $first } 变为 { $second }。除以 √d 的作用正好相反。

textbook1 =
    .writes = 例题写 softmax(QKᵀ)V，代码里却除以 √d。
    .means = 例题的缩放是 1，权重为 0.0634、0.4683、0.4683；缩放 1/√3 时为 0.1361、0.4319、0.4319。
