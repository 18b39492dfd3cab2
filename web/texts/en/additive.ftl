question = What can a score do that a product cannot?
doThis = Choose another query: the bump moves with it. Then switch the score to the dot product of the same numbers.
live = Position 3 gives itself { $own }. The first unit has risen there, the second has not: their difference is a bump.
contrast = Concatenation is the same formula with one matrix: W applied to [q; k] is Wq applied to q plus Wk applied to k.
history = A fixed vector had to hold the whole source sentence. Bahdanau (2015) let the decoder look back at each word, with a small network as score. Dot products replaced it: as good, and much faster.

product_of_places =
    .question = Positions 1 to 5 are scored by the product q·k. Where does query 2 look most?
    .choice1 = At position 2
    .choice2 = At position 5
    .choice3 = At all alike
    .shown = Position { $position } gets { $weight }: a product grows with the key and has no bump.

textbook1 =
    .writes = v⊤ tanh(W x_i + U q)
    .means = w = v, Wk = W⊤, Wq = U⊤: rows are tokens here.
