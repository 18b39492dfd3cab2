diagram = 图示
planeHelp = 用方向键移动箭头。
barsHelp = 用上下键选择一行。
barsDragHelp = 用上下键选择一行，用左右键改变它的分数。
curveHelp = 用左右键沿曲线读数。
netHelp = 用左右键选择一个词元。
left = 向左
right = 向右
up = 向上
down = 向下
less = 减小
more = 增大
name = 名称

spoken =
    .point = { $name }：{ $x }，{ $y }
    .row = { $name }：{ $values }；第 { $place } 个，共 { $count } 个
    .button = { $name }{ $direction }
