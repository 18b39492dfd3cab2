question = Can a query choose among topics instead of words?
doThis = Press the 0 of “cat” under positive and read the column of the topic again. Then ask for both topics.
live = The topic “positive” lies on { $positive }; “negative” on { $negative }. A query only mixes these two columns.
contrast = elu + 1 divides by φ(q)·z for each query. Here softmax is taken twice beforehand, over the topics of a query and over the words of a topic, so nothing is left to divide.
history = The pixels of an image are too many for pairs. Shen (2018) took softmax of queries and keys apart, so that they meet in a small table of topics. In language models exact attention made fast (FlashAttention) is used instead.

third_word =
    .question = Two words have half of a topic each. A third word gets the same feature. What share has each of them now?
    .choice1 = One half
    .choice2 = One third
    .choice3 = The new word nothing
    .shown = { $weights }: softmax runs down the column, so the words of a topic share it.

textbook1 =
    .writes = The special case φ(q) = softmax(q), ϕ(k) = e^k
    .means = ϕ(k) is e^k divided by its sum over the tokens. With e^k alone the outputs are others: every topic would count by its size.
