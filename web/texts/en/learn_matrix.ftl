title = The whole matrix at once
body = Stack the queries and all scores are one product, QKᵀ; softmax goes over each query’s scores, and a product with V gives every output. Some books write a word as a row[[行]], others as a column[[列]]: the same numbers, transposed.
doThis = Choose a query and follow it from the weights to the output. Then turn words into columns: where are its weights now?

shape_of_weights =
    .question = 3 queries look at 5 keys. With a row for each query, what size are the weights?
    .choice1 = 3×3
    .choice2 = 3×5
    .choice3 = 5×5
    .shown = The weights came out { $weights }: a number for each pair of query and key. With values of width 4 the output is { $output }: a row for each query, whatever the number of keys.

further =
    .self_attention = Self-attention, number by number

query = query
key = key
feature = feature
weight = weight
value = value
output = output
notation = A word is
rows = a row
columns = a column
choose = Query
sum = { $rows ->
    [true] Row
   *[other] Column
} “{ $word }” of A: { $parts } = { $total }.
mixed = Output “{ $word }” mixes all values by these weights: { $noun } of what it looked at is a noun.
note = Head set by hand: nearby words. All queries are computed at once; none waits for another.

features =
    .noun = noun
    .verb = verb
