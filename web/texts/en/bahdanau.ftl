question = Another word order: where does each new word come from?
doThis = Press “Next word” until the sentence is complete and watch the alignment leave the diagonal. Beside it is what a decoder without attention reads: the same vector at every step.
live = Step 2 writes “zone” and gives “Area”, the last source word, the weight { $weights }.
contrast = Bahdanau asks with the state before the step, { "s_{t−1}" }, by the additive score. Luong asks with the new state h_t, by a product.
history = The encoder-decoder of 2014 pressed a whole sentence into one vector, and long sentences failed. Bahdanau (2015) lets the decoder look back at every step. The Transformer (2017) kept the attention and dropped the recurrent network.

fixed_vector =
    .question = An encoder reads 8 words and keeps 0.6 of its state at each step. How much of the first word is in the last state?
    .choice1 = More than a half
    .choice2 = About a tenth
    .choice3 = Less than a twentieth
    .shown = { $first } after the first step { $last } is left: { $left } of it. Attention reads the first word as easily as the last.

textbook1 =
    .writes = { "s_{i−1}" }, with step t elsewhere
    .means = { "s_{t−1}" }: the state before step t. i and t are the same step.
