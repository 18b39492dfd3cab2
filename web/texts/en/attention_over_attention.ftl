question = Which words of the question deserve to be listened to?
doThis = Go from 1 to 4: scores, α down the columns, β across the rows, and their product. Then let “who” forget the words after it.
live = “who” gets { $blank } of the question’s weight, not a third, and “Tom” is the answer with { $answer }.
contrast = The attention sum reader reads α from one vector of the question. Here β decides how much each word’s column of α counts.
history = One vector for the whole question lets unimportant words blur the answer. This reader (2017) weighs the words of the question by the document. Self-attention over question and text together replaced it.

blank_forgets =
    .question = “who” no longer knows that “saw Paris” follows. Which name wins?
    .choice1 = Tom, as before
    .choice2 = Mary, the first
    .choice3 = Both get the same
    .shown = Mary gets { $mary }, Tom { $tom }: for a question that knows nothing, one name is as good as the other.

textbook1 =
    .writes = s = αᵀβ
    .means = s is α times the mean of β’s rows: the stated shapes do not fit otherwise.
