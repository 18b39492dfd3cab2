question = Is there something between softmax and sparsemax?
doThis = Drag the last score and follow the curve: it leaves 0 smoothly. Compare softmax and sparsemax with the switch.
live = Scores { $scores } become weights { $weights }.
contrast = Sparsemax would give 0.75 and 0.25 here. Entmax keeps more for the second key and still gives the last exactly 0.
history = Sparsemax often keeps one key only. The entmax family (2019) has a number α from softmax at 1 to sparsemax at 2; 1.5 has a fast exact algorithm. It can even be learned for each head.

far_below =
    .question = There are two keys. How far below the best must the second score, so that entmax gives it exactly 0?
    .choice1 = 2 or more
    .choice2 = 10 or more
    .choice3 = It never gives exactly 0
    .shown = { $nearly } below the best the second weight is { $near }, 2 below it is { $far }.
