question = 问题
film = 求导演的出生地，电影是
tables = 嵌入表
apart = 每跳各用一张
shared = 全都共用一张
values = 值
own = 自成一份
tied = 绑定：V = K
passes = 读几遍故事
story = 记忆
kept = 放进记忆
keys = 键 → 值
sentences = 故事里的句子
asks = 查询
memory = 此前的记忆
reads = 读出
answer = 答案
nothing = 什么也没有
weight = 权重
gate = 门
place = 步
back = 减一
on = 加一
next = 下一步
again = 从头再来
word = 词
query = 提问的词
memoryKey = 记忆里的词
window = 窗口 L
states = 每个词的状态：键 k、值 v、预测 p；实心为 1
bringsBack = 取回的值
saysNext = 预测的下文
changeKey = 它的键
changePredict = 它的预测
person = 人
thing = 物
verb = 动词
noun = 名词
end = 句末
seen = 看到的
three = 三个词
one = 一个词
parts = 各状态的三部分；框出的是现在读到的
output = h*：每个词还留下多少
strength = h* 中
hop = 第 { $n } 跳
pass = 第 { $n } 遍
sum = 所有条形的刻度都是 0 到 1；一跳的权重之和为 { $sum }。
gates = 所有条形的刻度都是 0 到 1。门不是分布：这里它们的和为 { $sum }。
moved = 与初始相比，权重最多变了 { $weights }，输出 h* 最多变了 { $output }。
windowOf = L = { $n }
words = 往前 { $n } 个词
wordOf = 第 { $n } 个词，共 { $all } 个
later = { $n ->
    [0] 当时读
   *[other] 过 { $n } 个词读
}
