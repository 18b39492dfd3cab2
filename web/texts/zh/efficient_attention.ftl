question = 查询能不能在主题之间选择，而不是在词之间选择？
doThis = 点“猫”在“褒义”一列（column）的数字，再看这一列。然后让查询两个主题都要。
live = 主题“褒义”落在 { $positive }，“贬义”落在 { $negative }。查询只需混合这两列。
contrast = elu + 1 要为每个查询除以 φ(q)·z。这里事先做两次 softmax：查询在主题上，主题在词上，之后就不用再除。
history = 图像的像素太多，无法两两比较。Shen（2018）对查询和键分别做 softmax，让它们在一张小小的主题表里相遇。语言模型则改用加速后的精确注意力（FlashAttention）。

third_word =
    .question = 两个词各占一个主题的一半。第三个词也有了同样的特征，每个词现在占多少？
    .choice1 = 二分之一
    .choice2 = 三分之一
    .choice3 = 新词什么也没有
    .shown = { $weights }：softmax 沿着这一列进行，同一主题的词一起分享。

textbook1 =
    .writes = 对应于 φ(q) = softmax(q)、ϕ(k) = e^k 的特例
    .means = ϕ(k) 是 e^k 除以它在所有词元上的和。只用 e^k 时输出不同：主题会按大小计入。
