rounds = 轮数
fewer = 少一轮
more = 多一轮
tokens = 词元数
redraw = 重新抽取
query = 查询
key = 键
weight = 权重
circles = 各轮的桶；亮的与所选词元同桶
help = 用左右键选择词元。
ofRounds = 最多 { $n } 轮
roundN = 第 { $n } 轮
kept = 两两共 { $all } 对，有 { $kept } 对在某一轮同桶。
missed = { $missed ->
    [0] { $rounds } 轮之后，没有词元漏掉最相近的同伴。
   *[other] 标出的：{ $missed } 个词元在每一轮都漏掉了最相近的同伴。
}
seed = 按定义随机，随机种子 { $seed }。
shared = { $name }，第 { $round } 轮：{ $others }
alone = 独自一桶
