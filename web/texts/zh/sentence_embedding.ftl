question = 把各个词简单平均，会丢掉什么？
doThis = 把“好”从“不”旁边移开，比较几种摘要：哪些变了？
live = 平均里“好”占 { $share }；“不好”单元给出 { $unit }。
contrast = 平均给所有词同样的权重，门控让一些词更重。
history = 长短不一的句子要变成一个向量：最后一个状态会忘掉开头，平均丢掉的更多。n 元语法卷积（2014）保住了局部词序，后来被注意力汇聚和自注意力取代。

reordered_words =
    .question = “他说不好”和“好，他说不”：哪种摘要能分清它们？
    .choice1 = 平均
    .choice2 = 最大值
    .choice3 = 词对
    .shown = 两句的平均里每个词都是 { $before }；“不好”单元先给 { $first }，后给 { $second }。
