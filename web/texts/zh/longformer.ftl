question = 一个词元能把整篇文档连起来吗？
doThis = 把层数设为 2：经过 [CLS]，处处可达。再把全局词元数改为 0，看看有什么变化。
live = [CLS] 看 { $allKeys } 个键，各 { $each }；中间的“那”只有 { $keys } 个：{ $weights }。
contrast = 这里所有的远程联系都要经过一个词元；BigBird 另加随机抽取的配对，路就不止一条。
history = BERT 最多读 512 个词元。Longformer（2020）读 4096 个：处处用窗口，只让任务用到的少数词元看全文。后来又有了更快的精确算法和更长的窗口。

pairs_of_longformer =
    .question = 窗口 64，一个全局词元。文本长度加倍，配对数变为多少倍？
    .choice1 = 约 2 倍
    .choice2 = 约 3 倍
    .choice3 = 4 倍
    .shown = { $few } 对变为 { $many } 对，{ $times } 倍。窗口对每个词的代价不变，一个全局词元给每个词添两对。

textbook1 =
    .writes = 稀疏注意力：“通过规则或随机采样减少计算量（如 Longformer、BigBird）”。
    .means = Longformer 全是规则，随机的部分属于 BigBird。
