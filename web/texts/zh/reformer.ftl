question = 不比较所有配对，相似的词能找到彼此吗？
doThis = 把轮数设为 1：标出的配对很近，却落在不同的桶里。增加轮数，直到没有标记；也可以重新抽取。
live = 0° 的词元给相差 10° 的同伴权重 { $weight }。两两共 { $all } 对，只算了 { $kept } 对。
contrast = BigBird 的配对在读文本之前就抽好了；这里由文本自己决定谁落在同一个桶里。
history = softmax 几乎把权重都给了少数相似的键，找到它们就够了。Reformer（2020）这样处理 64000 个词元；但排序和多轮哈希费时，后来被快速的精确算法取代。

longer_vector_same_bucket =
    .question = 所有向量的长度加倍，方向不变。有多少词元换了桶？
    .choice1 = 一个也没有
    .choice2 = 约一半
    .choice3 = 全部
    .shown = { $count } 个中有 { $moved } 个：前后都是桶 { $buckets }。旋转后最大的坐标仍然最大。
