question = 没有循环神经网络，解码器怎样看到更前面的词？
doThis = 选中 sleeps（睡了），从第 1 层走到第 2 层：注意力往前多看一个词。再关上门，重走一遍。
live = 对 sleeps（睡了），第 1 层给“猫” { $first }，第 2 层给“黑” { $second }。
contrast = 循环解码器每个词只做一次注意力，而且要等前一个词。这里每一层都做一次，训练时所有词同时计算。
history = 循环神经网络只能一个词一个词地算。Gehring（2017）改用卷积，每多一层多看一点，并且每层都有注意力。几周之后，Transformer 连卷积也去掉了。

gates_shut =
    .question = 所有的门都关上，卷积什么也传不过去。第 2 层里 sleeps（睡了）注意哪个词？
    .choice1 = 黑
    .choice2 = 猫
    .choice3 = 睡了
    .shown = “{ $word }”得到 { $weight }：只剩残差连接，词只会问自己的位置。

textbook1 =
    .writes = 门控线性单元（GLM）
    .means = 缩写应为 GLU：A ⊗ σ(B)，一半输出给另一半当门。
