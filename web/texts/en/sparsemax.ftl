question = Can weights that sum to 1 be exactly 0 for what does not matter?
doThis = Drag the third score upward: its weight stays exactly 0 until it comes within reach of the best.
live = Scores { $scores } become { $weights }.
contrast = Sparsemax is straight with a corner at 0. Entmax with α = 1.5 bends into it: fewer zeros, smoother gradients.
history = Softmax never gives 0, so a reader cannot tell what was ignored. Sparsemax (2016) projects the scores onto the probabilities. Entmax generalized it; large models kept softmax, which is faster.

lower_still =
    .question = Scores 1, ½, −1: the last falls to −5. Do the other two weights change?
    .choice1 = Yes
    .choice2 = No
    .shown = Still { $weights }: a key at 0 has nothing more to give.
