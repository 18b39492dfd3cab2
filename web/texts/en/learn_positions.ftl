title = Positions
body = Attention compares vectors. A position vector[[位置编码]] says where a word stands; it is added to the word before the queries and keys are made, so that a head can ask for “the word before me”. What does attention know of the order of the words without it?
doThis = Choose the first saw, then the second. Then switch positions on and choose them again.

two_saws =
    .question = Are the two outputs for saw equal when positions are off?
    .choice1 = Yes, exactly
    .choice2 = No, their neighbors differ
    .shown = Off, they differ by { $off }: swap two words, and the same outputs come out, swapped. On, they differ by up to { $on }.

further =
    .sinusoidal = Sinusoidal positions
    .rope = Rotary positions

switch = Positions
off = off
on = on
query = query
key = key
weight = weight
outputs = The two outputs of “saw”
first = saw, word 2
second = saw, word 4
difference = difference
equal = Without positions the two rows are exactly equal: the order of the words is lost.
different = With positions each saw finds the word before it, and the outputs differ by up to { $most }.
provenance = Weights set by hand; computed live.

# The sentence, word by word.
words =
    .word1 = I
    .word2 = saw
    .word3 = a
    .word4 = saw
