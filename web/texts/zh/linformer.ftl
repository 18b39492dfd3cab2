question = 相邻的词元都很像时，何必保留每一个键？
doThis = 一步步提高秩，看误差怎样变。再把月份打乱，重做一遍。
live = 第一个月给各个混合的权重是 { $weights }。一共有 { $all } 个权重。
contrast = Performer 替换指数函数，文本可长可短。Linformer 缩短文本：n 个键变成 r 个，n 要事先定好；混合里含有后面的词，所以没有因果形式。
history = 训练好的 Transformer，权重矩阵近乎低秩，却仍要算满 n² 个。Wang（2020）学习 r 个键的混合。但它无法逐词生成，后来让位于 FlashAttention 和更小的键值缓存。

same_words_other_order =
    .question = 六个词，每种两个，相邻两个取平均。相同的词放在一起或分开，误差一样吗？
    .choice1 = 一样，词是相同的
    .choice2 = 不一样，放在一起时没有误差
    .choice3 = 不一样，分开时没有误差
    .shown = 放在一起：相对误差 { $together }；分开：{ $apart }。平均只留下各词共有的东西。
