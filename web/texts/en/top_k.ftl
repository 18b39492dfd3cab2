question = What if only the few best keys may share the weight?
doThis = Change k from 1 to 4, then drag the third score above the second: it takes its place.
live = The weights are { $weights }. Keys that take part: { $kept }.
contrast = Top-k keeps a fixed number of keys. Sparsemax lets the scores decide how many remain.
history = Over long inputs softmax spreads a little weight over thousands of useless keys. Keeping the k best (2021) needs less memory and loses little; the jump at rank k remains.

zero_score =
    .question = Scores 1.2, 0.4 and, for three keys that should not count, 0. Are those three weights 0?
    .choice1 = Yes
    .choice2 = No
    .shown = Score 0: { $zero }. Score −∞, a mask: { $masked }.

masked_row =
    .question = All keys of a query are masked. What are its weights?
    .choice1 = All the same
    .choice2 = All 0
    .choice3 = Not a number
    .shown = { $weights }: all zero here; many libraries give NaN. The output is 0 as well.
