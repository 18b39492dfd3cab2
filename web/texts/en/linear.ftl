question = Which two of Q, K and V should be multiplied first?
doThis = Step through the tokens and watch the state fill. Then store four and five pairs in its three axes, and compare what is read with softmax.
live = The state holds { $state } as prices, and its queries read { $output }. No weight of a pair was computed.
contrast = Here all keys are summed before any query reads. With a causal mask the sum grows token by token, and the same formula is a recurrent network.
history = Softmax must see all n² scores before it divides. Katharopoulos (2020) replaced e^(q·k) by a product of feature maps, so that keys and values are summed once. Delta rules and gates followed.

order_of_products =
    .question = 1000 words, vectors of width 64: how many times as many multiplications does (QKᵀ)V take as Q(KᵀV)?
    .choice1 = About 2 times
    .choice2 = About 16 times
    .choice3 = About 1000 times
    .shown = { $full } against { $linear }: { $times } times as many, near n ÷ d. With 64 words or less nothing is saved.

fourth_pair =
    .question = Three axes hold three pairs. A fourth, price 9, comes with a key between the first two axes. What does the first key, price 3, read now?
    .choice1 = Still 3
    .choice2 = A mixture of 3 and 9
    .choice3 = 9
    .shown = It reads { $read }. Three axes keep three keys apart and no more.

textbook1 =
    .writes = Σ e^(qᵢᵀ kⱼ vⱼ) / Σ e^(qᵢᵀ kⱼ)
    .means = Σ e^(qᵢᵀ kⱼ) vⱼ / Σ e^(qᵢᵀ kⱼ): the value is no part of the exponent.
