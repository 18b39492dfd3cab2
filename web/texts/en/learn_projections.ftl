title = Why queries, keys and values differ
body = Each word plays three parts. Its query[[查询]] is what it asks for, its key[[键]] what it is found by, its value[[值]] what it hands over when found. Three matrices W_q, W_k, W_v make the three from the same vector: a verb can ask for a noun although it is none.
doThis = Choose a score to see its arithmetic. Then make W_q equal to W_k and watch the scores; then W_v equal to W_k and watch the output.

tied_scores =
    .question = With W_q = W_k, is the score of (a, b) always that of (b, a)?
    .choice1 = Yes, for every pair
    .choice2 = Only for some pairs
    .shown = With W_q in both places all { $pairs ->
        [one] { $pairs } score
       *[other] { $pairs } scores
    } mirror each other: the dot product of two vectors made by one matrix has no direction. A cat scores itself { $self } and the verb { $other }: like finds like.

queryIsKey = W_q = W_k
valueIsKey = W_v = W_k
ties = Make them equal
Q = Q: asks for
K = K: is found by
V = V: gives
scores = Scores QKᵀ
weights = Weights
output = Output
self = “{ $word }” scores itself { $sum }. Choose two different words.
pair = { $a } → { $b }: { $sum }. The other way, { $b } → { $a }: { $back }. { $same ->
    [true] The same number both ways.
   *[other] Asking and being asked are two different things.
}
symmetric = Every score equals the one across the diagonal: no word can ask for another without being asked for by it.
asymmetric = Scores across the diagonal differ: each direction has an answer of its own.
gets = “{ $word }” gives most weight to { $found } ({ $share }) and receives { $output }: the size and speed of what it found.
getsKey = “{ $word }” gives most weight to { $found } ({ $share }) and receives { $output }: keys again, the very thing it searched by.
and = { " and " }
quoted = “{ $word }”
note = Matrices set by hand. Rows are words; each table has a color scale of its own.

words =
    .cat = cat
    .chases = chases
    .mouse = mouse

features =
    .noun = noun
    .verb = verb
    .small = small

told =
    .size = size
    .speed = speed
