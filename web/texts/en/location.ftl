question = What if the score is asked for a position, not for a word?
doThis = Change a number of the keys and watch the weights. Then switch the score to the dot product and change it again.
live = At step 2 position 2 gets { $weight }, though the three words are the same.
contrast = The dot product of three equal keys is three equal scores: by content alone they get a third each.
history = Luong (2015) tried it as the simplest score. It knows as many positions as W has rows. Local attention and positional encodings took its part.

other_word =
    .question = The second word is exchanged for another one. Do the weights of step 2 change?
    .choice1 = Yes
    .choice2 = No
    .shown = They stay { $weights }: no key takes part in the score.
