question = Can words of two languages be compared by a plain product?
doThis = Switch the score from general to dot, and look at “visited” again. Back at general, press a cell of Wa to translate a word differently.
live = “visited” gives “去了” the weight { $weight }; the two have different numbers in their lists.
contrast = Here every step scores all source words. Local attention scores only a window of them, around a position it chooses.
history = Bahdanau’s score needs a small network for each pair. Luong (2015) compared by one product and found it as good and simpler. Scaled dot product in the Transformer is the same product, with a table on each side.

dot_across_languages =
    .question = “visited” is word 2 of its list, “昨天” (yesterday) word 2 of the other, each one-hot. By the score dot, what does “visited” attend to most?
    .choice1 = 去了 (visited)
    .choice2 = 昨天 (yesterday)
    .choice3 = All alike
    .shown = “昨天” gets { $wrong }, “去了” { $right }. One-hot words of two lists agree only by number: a table between them has to translate.

textbook1 =
    .writes = { "Σ_{s′}" } exp(score(h_t, h̄_s))
    .means = { "Σ_{s′}" } exp(score(h_t, { "h̄_{s′}" })): the sum runs over all source words, so s′ stands in the score.
