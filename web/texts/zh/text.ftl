title = 长文本
question = 长文本里每个词看向哪里？从远处看，整体又是什么样？
text = 你的文本
label = 你的文本，中文或英文
presets = 试试
nothing = 还没有可以注意的内容。输入几个词，或选一个现成的句子。
sentenceHint = 选一个词元，看它在看哪里。
looksAt = { $query } 看向
open = 打开文本文件
rhyme = 换回童谣
splitting = 切分
byWord = 按词
byCharacter = 按字
empty = 输入或粘贴一些文字。
notText = 这个文件不是文本。之前的文本仍然保留。
cut = 用了前 2000 个词元，其余留在输入框里。
local = 文本只留在这个浏览器里，不会发送到任何地方。
head = 头
seen = 看到
cell = 每块显示
mean = 平均
max = 最大
meanWeight = 平均权重
maxWeight = 最大权重
weight = 权重
query = 查询
key = 键
nearer = 放大
farther = 缩小
whole = 全文
stop = 停止
again = 计算这张图
stopped = 这张图已停止计算。
back = 前一个词元
on = 后一个词元
passage = 所选词元的上下文
passageHelp = 用方向键选择；按 M 与后一个合并，按 S 拆开。
word = 词元
merge = 与后一个合并
split = 拆开
vectors = 权重手工设定[[set by hand]]：词嵌入由两位独热编号、小词表中的特征、正弦位置和常数 1 组成。从不同时保存所有词元对的权重：看哪里，就只算那几行。
small = 用几个词看自注意力

headNames =
    .same = 同一个词
    .previous = 前一个
    .next = 后一个
    .first = 第一个
    .nearby = 附近
    .pronoun = 代词 → 有生命的名词

seenNames =
    .all = 全部
    .before = 之前的
    .window = 窗口 ±16
    .strided = 步幅
    .longformer = Longformer
    .bigBird = BigBird

words = { $words } 个词元；{ $all } 对中有 { $pairs } 对参与注意。
progress = 这张图已算出 { $share }。
tile = { $tile ->
    [1] 一格就是一对词元。
   *[other] 每块有 { $tile } × { $tile } 对词元。
}
wordAt = 第 { $n } 个“{ $word }”
looks = { $from }给{ $to }的权重最大：{ $weight }。
