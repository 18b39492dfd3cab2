question = How can one word ask four questions at once?
doThis = Choose “it” and go through the heads; then switch head 3 off and read what is left of the output.
live = In head 3 “it” gives cat { $cat } and dog { $dog }; in head 1 “dog” gives the word before it { $prev }. W_o adds up what the heads bring.
contrast = Here every head has its own W_q, W_k and W_v. Splitting the vectors gives each head a part of the axes, and no matrix.
history = One softmax averages all that a word needs into one mixture. Several heads (2017) keep the answers apart; today heads often share keys and values to save memory.

textbook1 =
    .writes = Multi-head attention is several queries of the same keys and values
    .means = Each head has matrices W_q, W_k, W_v of its own, and W_o joins them. Several queries alone are another page.
