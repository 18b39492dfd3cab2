title = Why softmax, and why √d
body = Softmax makes any scores positive and lets them sum to 1; larger scores get more, smoothly. But a dot product of d numbers spreads like √d: with wide vectors one key takes nearly everything, and training hardly moves. Dividing by √d keeps the spread at 1.
doThis = Make the vectors wider, up to 256 numbers, and watch the left weights collapse onto one key. The right ones stay mixed.

add_100_or_double =
    .question = The scores are 2, 4 and 4. Which change makes the weights sharper?
    .choice1 = Add 100 to each
    .choice2 = Double each
    .choice3 = Either
    .shown = The weights are { $given }; with 100 added { $added }, the same; doubled { $doubled }. Only differences count, and larger ones are sharper.

further =
    .scaled_dot = Scaled dot-product attention

d = d, the width of query and key
key = key
unscaled = weight, scale 1
scaled = weight, scale 1/√d
spread = spread of the scores
largest = largest weight, on average
label = Weights of one query over eight keys, with and without 1/√d
random = random, seed 1
seen = At d = { $d } the scores spread by { $spread }, about √d; without scaling the largest weight is { $largest } on average.
