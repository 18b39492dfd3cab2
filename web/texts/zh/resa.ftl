question = 模型可以先丢掉一些词再注意吗？
doThis = 多采样几次；再留下全部词，作个比较。
live = “猫”给“追” { $chases }、给“老鼠” { $mouse }；它被留下的概率是 { $kept }。没留下的词什么也不看，整行（row）为 0。
contrast = DiSAN 给所有配对加权；ReSA 先抽取参加的词，再在其中作同样的软性注意力。
history = 软性注意力会分散到每个词；ReSA（2018）用采样选词，以策略梯度训练。稀疏模式和 sparsemax 不用采样也能选。

textbook1 =
    .writes = mead_pooling
    .means = 应为 mean pooling，即平均汇聚。
