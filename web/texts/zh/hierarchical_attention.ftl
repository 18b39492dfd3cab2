question = 哪一句说了算？句中又是哪个词？
doThis = 把第 3 句的最后一个词换成“差”：这个词的条形变长，它所在句子的条形也变长，判断随之改变。
live = 第 2 句第 5 个词占本句的 { $great }，这一句占全文的 { $sentence }，全文以 { $positive } 的概率为褒义。这里的 GRU 只把褒贬原样传下去。
contrast = 对所有词取平均，“的”与“棒”一样重，也分不出句子；这里每一层都作选择。
history = 循环神经网络一口气读完长文会忘掉开头。HAN（2016）先读词，再读句。窗口很长的 Transformer 取代了它，但极长的文本仍分层来读。

great_and_awful =
    .question = 一句说“棒”，另一句现在说“差”。两句的权重怎么分？
    .choice1 = 褒义的那句仍占几乎全部
    .choice2 = 各占一半左右
    .choice3 = 后面那句占几乎全部
    .shown = 两句各得 { $great } 和 { $bad }：这一层找的是有褒贬的句子，不分好坏。全文为褒义的概率是 { $positive }。

textbook1 =
    .writes = r_t，遗忘门
    .means = 应为 GRU 的重置门。论文里的 z 相当于 PyTorch 的 1 − z，这里按 PyTorch。
