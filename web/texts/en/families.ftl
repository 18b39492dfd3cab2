basics =
    .title = Basics
    .question = One question, several answers: how much of each?

alignment =
    .title = Alignment in encoder-decoders
    .question = Which source words make the next word?

selfAttention =
    .title = Self-attention and positions
    .question = Where does each word of a sentence look?

pooling =
    .title = Pooling a text
    .question = A whole text in one vector: which words does it keep?

sparse =
    .title = Sparse
    .question = Which pairs can be left out?

linear =
    .title = Linear and low-rank
    .question = Can a text be read without comparing all pairs?

memory =
    .title = Memory
    .question = How does an answer come from facts that are far apart?

pointing =
    .title = Pointing and copying
    .question = What if the answer is a word of the input?

beyondText =
    .title = Beyond text: image, sound, graph
    .question = What attends when there are no words?
