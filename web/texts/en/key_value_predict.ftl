question = One state must be found, read and predict the next word. Can it do all three?
doThis = At “he”, change the prediction, then the key: what moves? Then shorten the window until Tom is forgotten.
live = “he” gives Tom { $he }, “it” gives fish { $it }.
contrast = Here weights choose among the last L words. There is no choice: each distance reads its own part of the state.
history = In attentive language models one vector had three tasks that disturb one another. Splitting it (2017) helped, yet attention stayed on about five words. Transformers kept keys and values apart by projections of each token.

change_prediction =
    .question = The part p of “he” is replaced by another. How much do the weights of “he” move?
    .choice1 = Not at all
    .choice2 = A little
    .choice3 = They go to another word
    .shown = The weights move by { $weights }, the output by { $output }: p takes part in no score.

textbook1 =
    .writes = W_Y Y_t + (W_h h_t)·1ᵀ, columns are words
    .means = Here a row is a word: Y_t W_Y + k_t W_h, and the key alone takes part.
