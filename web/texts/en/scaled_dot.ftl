question = Why are scores divided by √d before softmax?
doThis = Divide by 1 instead of √3 and look at the largest weight of the third query. Then drag a score and follow its weight.
live = The first query scores { $scores }. Its weights are { $weights }: equal scores get equal weights.
contrast = The plain dot product does not divide. With long vectors its scores grow like √d.
history = Luong’s dot product did worse than additive attention for wide vectors. The Transformer (2017) divided it by √d and kept its speed; it is the default of nearly all models since.

score_rises =
    .question = A query scores 2, 4 and 4, and the second score rises to 6. What becomes of the third weight?
    .choice1 = It stays, as its score does
    .choice2 = It falls
    .choice3 = It rises
    .shown = It goes from { $before } to { $after }: the weights sum to 1, so one key gains what the others lose.

double_scores =
    .question = All scores of a row are doubled: 1, 2, 3 become 2, 4, 6. The weights …
    .choice1 = stay as they are
    .choice2 = become sharper
    .choice3 = become more even
    .shown = The largest weight goes from { $first } to { $second }. Dividing by √d does the opposite.

textbook1 =
    .writes = The worked example writes softmax(QKᵀ)V, its code divides by √d.
    .means = The example has scale 1, with weights 0.0634, 0.4683, 0.4683; with 1/√3 they are 0.1361, 0.4319, 0.4319.
