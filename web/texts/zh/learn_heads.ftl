title = 多头与输出投影
body = 一个 softmax 只给出一份混合，而一个词常常需要几个答案。每个头[[head]]有自己的 W_q、W_k、W_v，各找各的。各头的输出并排放好，W_o 中每个头对应几行，输出就是各头贡献的总和。
doThis = 看每个头给查询“它”带来哪些词。回答问题之后关掉一个头，再看总和。

head_off =
    .question = 关掉一个头，输出有什么变化？
    .choice1 = 少了它那一份，其余不变
    .choice2 = 其余的头会补上
    .choice3 = 没有变化
    .shown = 关掉“代词”头，“它”的输出里猫从 { $before } 变成 { $after }；其余各头的权重{ $moved ->
        [true] 变了
       *[other] 丝毫未变
    }。头与头互不相见，只在求和时相遇。

further =
    .multi_head = 多头注意力

switches = 头
query = 查询
head = 头
word = 词
adds = 加上的量
output = 输出：总和
maps = 各头的权重，色标 0 到 1
off = 关
looks = 头“{ $head }”：“{ $query }”看 { $words }。
isOff = 它已关闭：W_o 中属于“{ $head }”的那一块是 0，什么也不加。
everywhere = 所有的词，一样多
sum = { $heads ->
    [0] 所有的头都关着：输出为零。
    [1] 只有一个头开着，贡献一行。
   *[other] { $heads } 个头各贡献一行。
}
note = 各头与 W_o 由手工设定；值就是词本身。训练得到的头很少这样整齐。

names =
    .previous = 前一个词
    .same = 相同的词
    .pronoun = 代词
    .first = 首词
