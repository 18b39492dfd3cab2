title = 代价与出路
body = 每个词都与每个词比较，所以长文本代价很高。出路有两条：稀疏[[sparse]]注意力省去一些配对，例如只看窗口内的邻词；线性[[linear]]注意力改变相乘的顺序，先算 φ(K)ᵀV，再用 φ(Q) 去乘，所有配对的矩阵根本不出现。
doThis = 先回答问题，再不断加倍词数，直到所有配对要占 1 GB 以上。注意曲线的刻度。

twice_the_words =
    .question = 词数变为两倍，分数的个数变为几倍？
    .choice1 = 两倍
    .choice2 = 四倍
    .choice3 = 八倍
    .shown = { $short } 个词有 { $few } 个权重，{ $long } 个词有 { $many } 个：{ $times } 倍。n 个词就有 n² 个分数。

further =
    .sparse = 稀疏
    .linear = 线性与低秩

words = 词数
place = n = { $n }
back = 减半
on = 加倍
way = 方式
count = 比较次数
memory = 存成权重矩阵
dense = 所有配对：n·n
window = 窗口：左右各 { $side }
linear = 线性：n·{ $features } 个特征
none = 不需要
axis = 词数 n
curve = 比较次数随词数的变化
seen = { $n } 个词时，所有配对的比较次数是窗口的 { $times } 倍。
alike = { $n } 个词时，窗口还能盖住全文，没有省下什么。
provenance = 窗口的配对数由软件包实时数出。

units =
    .one = 比较次数
    .thousands = 比较次数（千）
    .millions = 比较次数（百万）
    .billions = 比较次数（十亿）
