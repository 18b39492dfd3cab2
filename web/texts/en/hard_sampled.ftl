question = How can chance choose a key and be fair to all of them?
doThis = Take 1, 10 and 100 draws, then draw again: the mean settles near the soft weights.
live = A share of { $mean } of 100 draws took the second key; its soft weight is 0.47.
contrast = Argmax takes the best key every time. Sampling takes each key as often as its weight says, so the mean is right.
history = Argmax gives no gradient. Show, Attend and Tell (2015) sampled the position and trained by policy gradient, whose noise is large; soft attention trains plainly and replaced it nearly everywhere.

one_draw =
    .question = One draw is taken. Can its output be a mixture of two values?
    .choice1 = Yes
    .choice2 = No
    .shown = This draw took key { $key } alone, with weight { $weight }. Only the mean is a mixture.
