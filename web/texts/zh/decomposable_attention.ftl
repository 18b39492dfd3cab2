question = 只逐词比较，能判断一句话是否由另一句推出吗？
doThis = 把前提改成“猫追女人”，看判断变不变。再把两句对调。
live = 假设成立的概率是 { $follows }。
contrast = 这里没有解码器逐词写出译文：两句话一开始就都在，用同一组分数互相注意。
history = 自然语言推理过去靠庞大的循环神经网络，不能并行。Parikh（2016）把词对齐，再把逐词比较相加，参数只有约十分之一。后来被预训练 Transformer 取代。

premise_reordered =
    .question = 前提“女人追猫”改成“猫追女人”。假设“人追动物”成立的概率会怎样？
    .choice1 = 下降
    .choice2 = 不变
    .choice3 = 上升
    .shown = 之前 { $before }，之后 { $after }。逐词比较的结果相加，求和不分先后：谁追谁，它看不出来。

textbook1 =
    .writes = 计算量变为 l_a ⊕ l_b
    .means = 应为 l_a + l_b，是两个词数之和；⊕ 表示向量拼接，例如 v_1 ⊕ v_2。
