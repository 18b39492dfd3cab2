title = 为什么查询、键、值各不相同
body = 每个词扮演三个角色：查询[[query]]是它想找什么，键[[key]]是它凭什么被找到，值[[value]]是找到后它交出什么。同一个向量分别乘以 W_q、W_k、W_v 就得到三者：动词自己不是名词，却可以去找名词。
doThis = 选一个分数，看它怎样算出。然后令 W_q = W_k，看分数怎样变；再令 W_v = W_k，看输出怎样变。

tied_scores =
    .question = 当 W_q = W_k 时，(a, b) 的分数总等于 (b, a) 的分数吗？
    .choice1 = 是，每一对都是
    .choice2 = 只对某些词对
    .shown = 两处都用 W_q，{ $pairs } 个分数全部对称：同一个矩阵变出的两个向量，点积不分方向。猫对自己的分数是 { $self }，对动词是 { $other }：同类只找同类。

queryIsKey = W_q = W_k
valueIsKey = W_v = W_k
ties = 设为相等
Q = Q：想找什么
K = K：凭什么找到
V = V：交出
scores = 分数 QKᵀ
weights = 权重
output = 输出
self = “{ $word }”对自己的分数是 { $sum }。请选两个不同的词。
pair = { $a } → { $b }：{ $sum }。反过来，{ $b } → { $a }：{ $back }。{ $same ->
    [true] 两个方向的分数相同。
   *[other] 去找别人和被别人找到，是两回事。
}
symmetric = 每个分数都等于关于对角线对称的那个：一个词找另一个词多强，对方找它就多强。
asymmetric = 对角线两侧的分数不同：每个方向各有各的答案。
gets = “{ $word }”把最大的权重给{ $found }（{ $share }），得到 { $output }：所找到的东西的大小和速度。
getsKey = “{ $word }”把最大的权重给{ $found }（{ $share }），得到 { $output }：又是键，正是查找时用的东西。
and = 和
quoted = “{ $word }”
note = 矩阵由手工设定。每行是一个词；每张表各用一个色标。

words =
    .cat = 猫
    .chases = 追
    .mouse = 老鼠

features =
    .noun = 名词
    .verb = 动词
    .small = 小

told =
    .size = 大小
    .speed = 速度
