title = The cost, and the ways out
body = Every word is compared with every word, so a long text is costly. Two ways out: sparse[[稀疏]] attention leaves pairs out, as a window of neighbors does; linear[[线性]] attention changes the order of multiplication: φ(Q)(φ(K)ᵀV), where no matrix of all pairs comes up at all.
doThis = Answer the question first. Then double the number of words until all pairs take a gigabyte, and watch the scale of the curve.

twice_the_words =
    .question = Twice as many words: how many scores?
    .choice1 = Twice as many
    .choice2 = Four times as many
    .choice3 = Eight times as many
    .shown = { $short ->
        [one] { $short } word
       *[other] { $short } words
    } had { $few ->
        [one] { $few } weight
       *[other] { $few } weights
    }, { $long ->
        [one] { $long } word
       *[other] { $long } words
    } had { $many }: { $times } times as many. n words make n² scores.

further =
    .sparse = Sparse
    .linear = Linear and low-rank

words = Words
place = n = { $n }
back = Half as many
on = Twice as many
way = Way
count = Comparisons
memory = As a matrix of weights
dense = all pairs: n·n
window = window: { $side } on each side
linear = linear: n·{ $features ->
    [one] { $features } feature
   *[other] { $features } features
}
none = none needed
axis = words n
curve = Comparisons by the number of words
seen = With { $n ->
    [one] { $n } word
   *[other] { $n } words
}, all pairs take { $times } times as many comparisons as the window.
alike = With { $n ->
    [one] { $n } word
   *[other] { $n } words
} the window reaches from end to end: it saves nothing yet.
provenance = Pairs of the window counted live by the package.

units =
    .one = comparisons
    .thousands = thousands of comparisons
    .millions = millions of comparisons
    .billions = billions of comparisons
