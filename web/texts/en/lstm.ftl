question = How does a network count, when each step fades what came before?
doThis = Read the brackets one by one: the state follows the depth and does not fade at “a” and “b”. Then shut the forget gate.
live = At depth 1 the state is { $shallow }, at depth 2 { $deep }.
contrast = The plain network multiplies its state at each step, so it fades. The cell of the LSTM is added to, and the forget gate decides how long it lasts.
history = In a plain recurrent network gradients vanish over long spans. Hochreiter and Schmidhuber (1997) gave it a cell that adds up. Translation ran on it until 2017, when the Transformer came.

forget_gate_shut =
    .question = The forget gate is shut. What is the state at “b”, inside two open brackets?
    .choice1 = 0.96, as for depth 2
    .choice2 = 0.76, as for depth 1
    .choice3 = About 0
    .tiny = less than 0.001
    .shown = It is { $size }, where an open gate has { $open }: each step throws the count away and keeps only its own sign.

textbook1 =
    .writes = f_t, i_t, C̃_t and h_t = o_t * tanh(C_t)
    .means = Two lines are missing: o_t = σ(W_o [{ "h_{t−1}" }, x_t] + b_o), and C_t = f_t * { "C_{t−1}" } + i_t * C̃_t.
