# The kinds of attention whose costs are compared, by their names in the package.
kindNames =
    .full = full
    .local = local
    .atrous = atrous
    .sparse = sparse
    .longformer = Longformer
    .bigBird = BigBird
    .reformer = Reformer
    .linformer = Linformer
    .linear = linear
    .efficient = Efficient
    .performer = Performer

words = Words
fewer = Half as many
more = Twice as many
width = width d
pairs = pairs
multiplyAdds = multiply-adds
bars = Pairs and multiply-adds of each kind
logScale = Logarithmic scale: a bar longer by the same length means the same factor. Counted, not timed.
curve = Multiply-adds by the number of words
xTitle = log₂ n
yTitle = log₁₀ of the multiply-adds
others = Faint: the other kinds.
paysNever = Up to 65,536 words it never becomes cheaper for good.
itself = { $count } multiply-adds.
less = 1/{ $times } of the multiply-adds of full attention.
moreTimes = { $times } times as many multiply-adds as full attention.
pays = It is cheaper from { $n ->
    [one] { $n } word
   *[other] { $n } words
} on.
