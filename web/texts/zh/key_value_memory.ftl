question = 导演出生在哪里？找事实靠一样东西，读出的是另一样。
doThis = 走完两跳：先找到键，它的值进入下一个查询。再绑定 V = K，重新走一遍。
live = 两跳中最强的键分别得 { $one } 和 { $two }，答案是“{ $answer }”。
contrast = 那里同一个句子通过两张学来的表兼顾查找与读取；这里由写入记忆的人决定比较什么、读出什么。
history = 整句话当键不好用：找到它的词不是回答问题的词。键值记忆（2016）让键放线索、值放答案。Transformer 保留了这种分工；检索系统也用这样的键存放文本。

tied_memory =
    .question = 把 V 绑定为 K，网络在四个候选答案里有多大把握？
    .choice1 = 与原来一样
    .choice2 = 四个一样多
    .choice3 = 确信一个错误答案
    .shown = 概率是 { $probabilities }：始终没读出人名，也就读不出出生地。

textbook1 =
    .writes = αᵢ = softmax(a(q, kᵢ))，c = Σᵢ αᵢ vᵢ
    .means = 只写了一跳。这里每一跳后面还有矩阵 R，用来得到下一个查询。
