length = Time beside dense, words
measure = Measure on this machine
measuring = Measuring …
discarded = The page was hidden while it measured: nothing is shown. Measure again.
isolated = isolated page
notIsolated = page not isolated
counts = { $n ->
    [one] { $n } word is
   *[other] { $n } words are
} too few to time. Counted: { $sparse } multiply-adds beside { $dense } of all pairs.
before = Counted: { $sparse } multiply-adds beside { $dense } of all pairs.
timing = { $name }: { $median } ms (quartiles { $lower } to { $upper }, { $runs } runs)
dense = Dense
sparse = This pattern
faster = { $times } times as fast, with 1/{ $counted } of the pairs.
slower = { $times } times as slow, though it has 1/{ $counted } of the pairs: scattered pairs cost more each.
clock = Timer step { $step } ms, { $isolation }, width { $width }.
