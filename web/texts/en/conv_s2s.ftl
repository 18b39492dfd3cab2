question = Without a recurrent network, how does a decoder see further back?
doThis = Choose “schläft” and step from block 1 to block 2: it attends one word further back. Then shut the gates and step again.
live = For “schläft” block 1 gives “cat” { $first }, block 2 gives “black” { $second }.
contrast = A recurrent decoder attends once a word and must wait for the word before. Here every block attends, and in training all words are computed at once.
history = A recurrent network computes one word after another. Gehring (2017) used convolutions, which see a little more with each block, and attention in every block. Weeks later the Transformer dropped the convolutions too.

gates_shut =
    .question = All gates are shut, so that no convolution passes anything on. Which word does “schläft” attend to in block 2?
    .choice1 = black
    .choice2 = cat
    .choice3 = sleeps
    .shown = “{ $word }” gets { $weight }: only the residual connection is left, so the word asks for its own position.

textbook1 =
    .writes = gated linear units (GLM)
    .means = GLU: A ⊗ σ(B), half of the outputs gate the other half.
