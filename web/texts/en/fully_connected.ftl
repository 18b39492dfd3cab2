question = How far can a net see that has no attention?
doThis = Choose each “saw” and read its label. Then let the net see this word alone: both get the same outputs.
live = Outputs for pronoun, verb, article, noun: the first “saw” { $first }, the second { $second }.
contrast = Its weights are fixed once and for all, one for each position of the window. Attention makes its weights from each text, and reaches any position.
history = A net for each word alone cannot tell two equal words apart. NETtalk (1987) gave it a window; a wider one needs more weights, and texts differ in length. Recurrent nets, then self-attention replaced it.

word_between =
    .question = A word stands between: “I often saw”. Does the net still call “saw” a verb?
    .choice1 = Yes
    .choice2 = No
    .shown = Its outputs are { $outputs }: “I” has left the window of one word on each side.
