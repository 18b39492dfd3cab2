question = 用哪几种颜色，就能说清整幅图？
doThis = 退回第 1 次迭代再往前：两个灰色分别走向红色和蓝色。再把 λ 设为 0，重新迭代一遍。
live = 六个像素由两个基来表示，按红、绿、蓝是：{ $red }；{ $blue }。
contrast = Linformer 的混合学好之后，对所有文本都一样。这里的基对每幅图重新拟合，只需几步 EM，个数与图的大小无关。
history = 做图像分割时，让所有像素两两比较代价太大。Li（2019）让像素只注意几个基，由 EM 在计算中拟合。Slot attention 和 Mask2Former 的可学习查询延续了这一思想。

lambda_zero =
    .question = λ = 0 时，每个像素给各个基的权重都相同。两个基会到哪里？
    .choice1 = 留在原处
    .choice2 = 都到全部像素的平均处
    .choice3 = 一个到红色，一个到蓝色
    .shown = { $first }；{ $second }：没有选择，两个都成了平均。
