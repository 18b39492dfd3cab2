question = Do weights have to sum to 1?
doThis = Drag all scores below 0: with ReLU nothing is attended to, and the output is 0. Softmax always has to choose.
live = The weights are { $weights }; their sum is { $sum }.
contrast = With softmax keys compete: one can only gain what others lose. With ReLU each key’s weight depends on its own score.
history = Softmax needs a sum over all keys, which slows hardware and forces a choice. ReLU divided by the number of keys (2023) came near it for images; most language models stayed with softmax.

leave_polygon =
    .question = Values lie between 1 and 3. Can an output lie outside that range?
    .choice1 = Never
    .choice2 = With ReLU yes, with softmax no
    .choice3 = With both
    .shown = For scores 8 and 6 softmax gives { $softmax }, ReLU { $relu }. Weights that sum to 1 cannot leave the polygon of the values.

textbook1 =
    .writes = α′ = ReLU(α)
    .means = Here it is divided by the number of keys besides, so that outputs do not grow with the length of the input.
