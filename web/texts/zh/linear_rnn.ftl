question = 注意力能不能像循环神经网络那样逐词阅读？
doThis = 退回第一个词元，再逐个往前：第二个苹果落在第一个的那一行。再让每个词元读全部：未来的内容就漏进来了。
live = 每个词元之后，它的查询依次读出 { $output }：第一个价格，另一个键的价格，以及两个苹果的平均。
contrast = 这里的和只会增加：键再次出现时，读到的是各次的平均。delta 规则先减去这个键读出的值，新值就取代旧值。
history = Transformer 每写一个词，都要回看全部的键和值，越写越慢。Katharopoulos（2020）只保存两个和。后来 RetNet、门控和状态空间模型又让这种状态学会遗忘。

state_after_many =
    .question = 读完 1000 个词元后，状态比读完 10 个时大多少？
    .choice1 = 一样大
    .choice2 = 100 倍
    .choice3 = 10000 倍
    .shown = 10 个词元后有 { $few } 个数，1000 个后有 { $many } 个。若保存键和值，则是 { $fewKept } 个和 { $manyKept } 个。
