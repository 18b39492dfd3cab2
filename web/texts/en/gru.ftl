question = How can a state be kept unchanged over words that do not matter?
doThis = Read the words one by one: the state changes only where “write” is 1. Then leave the gate half open.
live = After “on” the state is { $first }, after “then” { $third }.
contrast = One gate decides between keep and write, so the state cannot grow. The LSTM has a gate for each, and its cell can add up.
history = The LSTM has three gates and two states. Cho (2014) managed with two gates and one state for the first encoder-decoders; Bahdanau’s decoder is such a unit. Attention alone replaced both.

half_open_gate =
    .question = The update gate is half open at every word. What is the state after “on and then”?
    .choice1 = Still 0.76
    .choice2 = Smaller
    .choice3 = Larger
    .shown = { $mixed } in place of { $kept }: at each word half of the state makes way for the new number.

textbook1 =
    .writes = r_t is the forget gate
    .means = r_t is the reset gate. Texts differ in the sign of z: here, as in PyTorch, z = 1 keeps the old state.
