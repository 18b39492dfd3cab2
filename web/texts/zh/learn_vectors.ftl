title = 万物皆可成向量
body = 注意力只看得见一行行数。独热[[one-hot]]向量只有一个 1，位置各词不同；嵌入[[embedding]]让相近的词靠近，点积[[dot product]]就大。图像的小块、语音的帧、图的节点，也都变成一行。
doThis = 哪些词对的点积大？先回答下面的问题，再把词换成独热。也看看图像、语音和图。

one_hot_score =
    .question = 用独热向量时，猫和狗的点积是多少？
    .choice1 = 0，任何两个不同的词都一样
    .choice2 = 比猫和卡车大，因为都是动物
    .choice3 = 1
    .shown = 点积是 { $alone }，猫和卡车也是 { $truck }。换成词嵌入，猫和狗是 { $embedded }。

things = 事物
component = 分量
number = 数值
score = 点积
tasks = 不论行代表什么，任务都有三类：

words =
    .cat = 猫
    .dog = 狗
    .lion = 狮子
    .car = 轿车
    .truck = 卡车

features =
    .animal = 动物
    .vehicle = 车
    .home = 家养
    .large = 大

names =
    .oneHot = 词，独热
    .embedding = 词，词嵌入
    .patches = 图像
    .frames = 语音
    .nodes = 图（节点与边）

row =
    .oneHot = 词
    .embedding = 词
    .patches = 图像块
    .frames = 帧
    .nodes = 节点

picture =
    .patches = 6×6 像素的图像，切成 4 个 3×3 的图像块
    .frames = { $samples } 个采样点的信号，每 { $length } 个一帧，每帧后移 { $shift } 个
    .nodes = 一张图：5 个节点，每个有三个特征

seen =
    .oneHot = 猫和狗的点积是 { $pair }，猫和卡车是 { $other }：独热向量只分得清是不是同一个词。
    .embedding = 猫和狗的点积是 { $pair }，猫和卡车是 { $other }：意思相近的词，向量也相近。
    .patches = 图像块 1 和 2 相同：{ $pair }；1 和 3 不同：{ $other }。
    .frames = 第 1、2 帧是同一个音：{ $pair }；第 4 帧大半是静音：{ $other }。
    .nodes = 节点 1 和 2 有 { $pair } 个共同特征，1 和 4 有 { $other } 个。

kinds =
    .each = 每一行一个标签（序列标注）
    .one = 整体一个标签
    .sequence = 一个新序列（序列到序列）
