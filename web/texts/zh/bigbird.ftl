question = 为什么要随机挑选键？
doThis = 取 32 个词、0 个全局块，把随机数设为 0 和 2，比较所有配对可达各需要几层。再多抽几次。
live = 九个词的键数：{ $counts }。第 2 个词给每个键 { $share }。
contrast = Longformer 有窗口和全局词元，没有随机抽取。
history = BigBird（2020）借用随机图的理论来处理 4096 个词元，并证明这样的注意力表达能力不减。后来的模型在实践中大多去掉了随机部分。

random_or_wider =
    .question = 64 个词，每词五个键：左右各两个邻居，或左右各一个再随机抽两个。哪种用更少的层连通所有配对？
    .choice1 = 更宽的窗口
    .choice2 = 随机的键
    .choice3 = 两者一样
    .shown = 窗口需要 { $wider } 层，随机的键只要 { $random } 层（随机种子 { $seed }）：一条捷径省去许多小步。
