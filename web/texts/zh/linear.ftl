question = Q、K、V 三个矩阵，应该先乘哪两个？
doThis = 逐个词元往前走，看状态怎样填满。再往三条轴里存四对、五对，把读出的价格与 softmax 比较。
live = 状态里的价格是 { $state }，各个查询读出 { $output }。没有算过任何一对的权重。
contrast = 这里先把所有键加完，查询才来读。加上因果掩码，这个累加和逐个词元增长，同一个公式成了循环神经网络。
history = softmax 要看到全部 n² 个分数才能归一化。Katharopoulos（2020）用特征映射的乘积代替 e^(q·k)，键和值只需加总一次。后来出现了 delta 规则和门控。

order_of_products =
    .question = 1000 个词，向量是 64 维：(QKᵀ)V 的乘法次数是 Q(KᵀV) 的多少倍？
    .choice1 = 约 2 倍
    .choice2 = 约 16 倍
    .choice3 = 约 1000 倍
    .shown = { $full } 对 { $linear }：{ $times } 倍，接近 n ÷ d。不超过 64 个词时，什么也省不下。

fourth_pair =
    .question = 三条轴存了三对。第四对价格是 9，它的键落在前两条轴之间。价格为 3 的第一个键现在读出什么？
    .choice1 = 仍是 3
    .choice2 = 3 与 9 的混合
    .choice3 = 9
    .shown = 读出 { $read }。三条轴只能分清三个键。

textbook1 =
    .writes = Σ e^(qᵢᵀ kⱼ vⱼ) / Σ e^(qᵢᵀ kⱼ)
    .means = 应为 Σ e^(qᵢᵀ kⱼ) vⱼ / Σ e^(qᵢᵀ kⱼ)：值不在指数里。
