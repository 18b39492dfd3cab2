order = 两遍
rowColumn = 先行（row）后列
columnRow = 先列（column）后行
rowRow = 两遍都沿行
picture = 图像
row = 行（row）
column = 列（column）
both = 两遍之后
steps = 所选像素看到什么
rowTitle = 行
columnTitle = 列
weight = 权重
share = 在输出中所占的份额
pass = { $n }：沿{ $axis }
pairs = 两遍共 { $pairs } 对；所有配对是 { $all } 对。
formula = 公式：n(h + w) = { $count }。
held = 两遍之后，所选像素含有 { $all } 个像素中 { $held } 个的内容。
