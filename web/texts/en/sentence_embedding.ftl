question = What does a plain average of the words lose?
doThis = Move “good” away from “not” and compare the summaries: which of them change?
live = The mean holds { $share } of “good”. The unit for “not good” says { $unit }.
contrast = The mean gives all words the same weight; gates let some count more.
history = Sentences of any length must become one vector: the last state forgets the beginning, the mean forgets still more. Convolutions over n-grams (2014) kept local order; attention pooling and self-attention replaced them.

reordered_words =
    .question = “it was not good” and “good it was not”: which summary tells them apart?
    .choice1 = The mean
    .choice2 = The maximum
    .choice3 = The pairs of words
    .shown = Both means are { $before } for each word. The unit for “not good” says { $first }, then { $second }.
