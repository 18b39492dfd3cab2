question = Must every step read the whole source, or is a window of it enough?
doThis = Drag the center along the source and watch the sum of the weights. Then switch the Gaussian off and drag again.
live = Step 2 is centered at { $center }; its weights sum to { $sum }, less than 1.
contrast = Global attention scores all source words at each step. Here there are at most 2D + 1, however long the source is.
history = Scoring a whole paragraph at each step is dear, and hard attention cannot be trained by gradients. Luong (2015) took a window, and the Gaussian lets gradients reach its center. Sliding windows in Longformer (2020) went on from there.

center_moves =
    .question = local-p, D = 2: the center moves from 3.2 to 3.6. What changes?
    .choice1 = Nothing
    .choice2 = Only the weights
    .choice3 = Other words are in the window
    .shown = The window has the words { $kept } (from 0) both times. Their weights were { $from }, and become { $to }.

center_moves_flat =
    .question = The same move, 3.2 to 3.6, with the Gaussian switched off. What changes now?
    .choice1 = Nothing
    .choice2 = The weights
    .shown = Each word in the window has { $before } before and { $after } after. A center that changes nothing gets no gradient.

window_edge =
    .question = With the Gaussian, σ = D/2. By what is the weight of a word at the edge of the window multiplied?
    .choice1 = 0: it fades out
    .choice2 = About 0.14
    .choice3 = A half
    .shown = By { $factor }, which is e to the power −2. One word further the weight is 0: the edge still jumps.

textbook1 =
    .writes = outside the window the attention is set to 0
    .means = The weight is 0, which is a score of −∞. A score of 0 would still get a weight.
