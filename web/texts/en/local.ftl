question = What if a word looks only at its neighbors?
doThis = Move the layers on: each layer reaches one word farther on both sides. Then widen the window to 2 and count how many layers are left out.
live = “dog” shares its weight among the word before, itself and the word after: { $middle }. The first word has only two keys: { $first }.
contrast = The window is dense nearby and blind far away. Atrous attention is the opposite: it steps over its neighbors.
history = A minute of speech has 6000 frames, too many to compare all pairs. Truncated self-attention (2019) keeps a range set by hand; sliding windows inside long-context models continue it.

reach_of_a_window =
    .question = Nine words, now two neighbors on each side. After how many layers can the last word know something of the first?
    .choice1 = 2 layers
    .choice2 = 4 layers
    .choice3 = 8 layers, as with one
    .shown = { $needed } layers: each one carries what a word holds two words on. With one neighbor on each side it takes { $narrow }.

textbook1 =
    .writes = Attention beyond the distance k is “set to 0”.
    .means = The weight is 0, that is score −∞. A score of 0 would still get a share, as e⁰ = 1.
