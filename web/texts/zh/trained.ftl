checkpoint = 训练阶段
steps = { $n ->
    [0] 随机，训练之前
   *[other] 训练 { $n } 步之后
}
play = 播放训练过程
pause = 暂停
earlier = 更早
later = 更晚
accuracy = 在没有训练过的样例上的正确率
loss = 损失
chance = 随便猜是 { $share }
example = 换一个样例
reads = 读入
says = 回答
right = 正确答案
about = { $parameters } 个参数，玩具任务上训练，随机种子 { $seed }
weight = 注意力权重
row = 步
col = 输入
failed = 训练好的参数没有加载成功
retry = 再试一次

models-bahdanau =
    .task = 把一个词的字母倒过来
    .forms = 解码器每行写一个字母。训练越久，权重越集中到反对角线上：最后一个字母最先被读。

models-pointer_network =
    .task = 按从小到大的顺序指出数字
    .forms = 每行是一步，权重本身就是答案：指向哪个位置。一开始各个数字得到的差不多。

models-self_attention =
    .task = 接着说前面出现过的片段
    .forms = 第 1 层的一个头学会看前一个词；在这之后，第 2 层的一个头才能找到「上一次这个词后面是什么」。

models-hierarchical_attention =
    .task = 四句话里，以含 overall 的那句判断褒贬
    .forms = 一开始各句、各词的权重都一样。训练之后，含 overall 的那句得到大部分权重，句中褒贬的那个词也是。

models-pointer_generator =
    .task = 列出一段话里的人名
    .forms = 多数名字不在词表里，只能拷贝：每一行的权重渐渐落在它写出的名字上。

models-attention_over_attention =
    .task = 说出 X 是谁
    .forms = β 集中到 X 上，因为它的状态读过整个问题；s 集中到正确的名字上。

models-key_value_memory =
    .task = 由两条事实说出东西在哪里
    .forms = 第 1 跳找到东西在谁那里，第 2 跳找到这个人在哪里。

models-graph_attention =
    .task = 说出每个节点属于哪个群体
    .forms = 每行是一个节点，列出它各邻居的权重。训练之后权重移到知情的邻居（●），离开瞎猜的（○）。没有边的格子画斜线。

models-pictures =
    .places = s：文档各位置的权重
    .beta = β：对文档每个词，问题各词的权重
    .hops = 各条事实的权重：每跳一行
    .neighbors = 第 { $head } 个头给邻居的权重
    .steps = 权重：每步一行
    .head = 第 { $layer } 层第 { $head } 个头的权重
    .sentences = 各句的权重
    .words = 每句中各词的权重
