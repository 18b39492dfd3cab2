title = 掩码与逐词生成
body = 掩码[[mask]]把分数设为 −∞。填充掩码遮住补位符；因果掩码遮住后面的词：逐词生成的模型还没写到那里。每写一个新词只需算一行，以前的键和值都保留着，这就是键值缓存[[KV cache]]。
doThis = 一个词一个词地写下去，比较两边的行；然后关掉因果掩码。

whole_row_masked =
    .question = 一个查询的所有键都被掩码，它的权重是多少？
    .choice1 = 全部相等，和为 1
    .choice2 = 全为 0
    .shown = 最大的权重是 { $most }，输出中最大的数是 { $output }。照 softmax 的公式是 0 除以 0：这里权重全为 0，许多库给出 NaN。

further =
    .transformer_generate = 会写句子的 Transformer

masks = 掩码
causal = 因果掩码：看不到后面的词
padding = 填充掩码：看不到 [填充]
query = 查询
key = 键
weight = 权重
atOnce = 所有词一次算完，加掩码
wordByWord = 逐词计算，保留以前的键
written = 已写出的词
place = { $word } / { $of }
back = 少一个词
on = 下一个词
hatched = 斜线：被掩码，或尚未写出。数值为实时计算。
same = 第 1 到 { $rows } 行两边一致（最大相差 { $most }）：用因果掩码训练的模型，可以逐词生成。
other = 第 1 到 { $rows } 行两边最多相差 { $most }：左边的词看到了还没写出的词。
