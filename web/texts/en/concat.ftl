question = Must a score’s units see the query and the key together?
doThis = Let each unit see only one of the two words, and compare the weights of “is” and “are”.
live = “are” gives “keys” { $are }: the score dips where the two numbers disagree.
contrast = Additive attention is the same sum with two matrices, Wq and Wk. Concatenation writes them as the two halves of one.
history = Luong (2015) listed it beside dot and general as the score nearest to Bahdanau’s. It did worst of the three there, and dot products won; graph attention took the idea up again.

separate_units =
    .question = No unit sees both verb and noun. Are the weights of “is” and “are” then different?
    .choice1 = Yes
    .choice2 = No
    .shown = Both give “keys” { $are }. The verb adds the same to all scores, and softmax ignores that.

textbook1 =
    .writes = w · tanh([q; k])
    .means = Read literally, the query cancels in softmax. A matrix belongs inside: w · tanh([q; k] W).
