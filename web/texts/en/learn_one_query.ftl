title = One query, five values
body = A query[[查询]] is compared with every key[[键]]. The agreement, a dot product, is the score[[分数]]; softmax makes weights[[权重]] of the scores, and the output is the sum of the values[[值]], each times its weight. That is attention. All the rest is where queries, keys and values come from.
doThis = Turn the query until nearly all the weight is on value 4. Then make it shorter: what happens to the weights?

inside_the_polygon =
    .question = Can some query bring the output outside the polygon of the values?
    .choice1 = Yes, a long one
    .choice2 = No, none
    .shown = Weights of softmax are positive and sum to 1: of { $queries } long queries around a square, no output went beyond its corners ({ $inside } at most, 1 is the corner). With ReLU in place of softmax the weights need not sum to 1, and one reached { $outside }.
