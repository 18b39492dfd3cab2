question = 文本多长时，省略配对才划算？
doThis = 选一种机制，再移动长度：它的曲线与完整注意力相交之处，才开始省下计算量。
live = 完整注意力要算 { $full } 对，窗口只算 { $local } 对，前者是后者的 { $ratio } 倍。
contrast = Reformer 的计数包括哈希，那是不产生配对的计算。计数不等于时间：配对排得是否规整同样要紧。
history = 几十种 xxformer 都声称少于 n²。Long Range Arena（2020）在相同任务上比较了它们。多数大模型仍用加速过的精确注意力，再配上窗口。

short_text_cost =
    .question = 64 个词，向量 64 维。哪个的乘加次数更少：完整注意力，还是 128 个特征的 Performer？
    .choice1 = 完整注意力
    .choice2 = Performer
    .choice3 = 一样多
    .shown = 完整注意力 { $full } 次，Performer { $performer } 次。词数少于特征数时，线性注意力得不偿失。

textbook1 =
    .writes = 各种各样的 xxformer
    .means = 指计算量小于 n² 的各种注意力，各以自己的 Transformer 命名。
