question = 跳过邻居，能不能看得更远？
doThis = 选一个画斜线的格子，再增加层数。然后选“组合”，加上左右各一个词的窗口。
live = 第 2 个词有 { $keys } 个键，彼此相隔三个位置，权重 { $weights }；中间的词什么也分不到。
contrast = 只有步幅，文本就分成互不相通的几组；Sparse Transformer 加上邻居，各组才连通起来。
history = 它把膨胀卷积的“空洞”用到注意力上，弥补窗口视野窄的缺点。单独使用的不多，与窗口合在一起就是 Sparse Transformer 的做法。

reach_of_a_stride =
    .question = 每三个词看一个，现在再加上左右各一个邻居。经过几层，每个词才含有全部九个词的内容？
    .choice1 = 3 层
    .choice2 = 8 层，与只看邻居时相同
    .choice3 = 永远不能
    .shown = { $joined } 层。只有步幅时，81 对中只能到达 { $alone } 对，分成 { $stride } 组，互不相通；邻居把它们连了起来。

textbook1 =
    .writes = 膨胀、空洞、带孔自注意力：只看相对距离为 k, 2k, 3k, … 的元素，k > 1
    .means = 三个名字指同一件事。距离 0，也就是词自己，同样看得到。
