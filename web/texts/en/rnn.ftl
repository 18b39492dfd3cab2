question = A sentence is read word by word into one state: what stays of its first word?
doThis = Read the words one by one and watch “not” fade. Then hand nothing on: the state forgets it at the very next word.
live = At “not” the state is { $first }; after the last word { $last } is left.
contrast = The last state has to carry everything. Bahdanau keeps the states of all words, and each step of the decoder reads those it needs.
history = A window of fixed width knows nothing outside of it. Elman (1990) fed the state back, so that all earlier words have a say. It fades fast; LSTM and GRU keep it longer, and attention looks back directly.

doubled_state =
    .question = The state is multiplied by 2 at each word, in place of 0.5. What is it four words after “not”?
    .choice1 = It has faded
    .choice2 = Large, but below 1
    .choice3 = 16 times as large
    .shown = It goes from { $first } to { $last }: tanh stays below 1. Now nothing fades, and nothing new can be told from the old.

textbook1 =
    .writes = the output 0_t
    .means = O_t, the letter O.
