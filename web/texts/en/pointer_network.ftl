question = How can a network answer with positions of its own input?
doThis = Drag a number, or press + and −. The steps go on pointing at the numbers in rising order: the weights themselves are the answer.
live = Each step points at one position with at least { $least }. No context vector is formed.
contrast = A pointer network can only point. The pointer-generator may also write words that the source does not have.
history = A decoder with a fixed vocabulary cannot choose among inputs whose number changes. Pointer networks (2015) use the weights as the output. Their pointing lives on in copying and in extractive question answering.

equal_numbers =
    .question = Two of the numbers are equal, 0.3 and 0.3, beside 0.8. What does the first step do?
    .choice1 = It points at the first 0.3
    .choice2 = It shares the weight between both
    .choice3 = It points at 0.8
    .shown = The weights are { $first }, { $second } and { $third }: equal numbers have equal scores, wherever they stand.

textbook1 =
    .writes = a = softmax(u), then a context vector
    .means = The weights are the output here; no context is formed.
