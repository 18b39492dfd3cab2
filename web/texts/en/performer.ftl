question = Can random numbers stand in for softmax?
doThis = Halve the features again and again, and draw again each time: the fewer there are, the more the error depends on luck.
live = With { $features } random features the largest error of a weight is { $largest }, the mean { $mean }. The first weight: { $first }.
contrast = elu + 1 gives weights of its own, whatever softmax would give. Performer’s features have softmax as their mean: with enough of them its weights come back.
history = A Transformer trained with softmax cannot take elu + 1 instead. Choromanski (2020) drew features whose products have e^(q·k) as their mean. Their error falls slowly; exact attention made fast (FlashAttention, 2022) replaced them.

four_times_the_features =
    .question = Four times as many random features: how much smaller is the error, on average?
    .choice1 = About one half
    .choice2 = About one quarter
    .choice3 = About one sixteenth
    .shown = Over { $draws } draws the mean error goes from { $few } to { $many }, to { $ratio } of it: by the square root.
