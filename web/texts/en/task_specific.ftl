question = One translator for two word orders: what must differ?
doThis = Flip the flag between French and Japanese and step through the words: the same encoder and decoder read the source in another order.
live = Step 2 reads “{ $word }” most, with the weight { $most }.
contrast = It is Bahdanau’s additive score, but the flag chooses which Wa, Ua and va are used. All else is shared.
history = One model for many languages had one alignment for all, though their word orders differ. Blackwood (2018) gave each language its own attention. In Transformers a language token and many heads took its place.

other_flag =
    .question = Japanese puts the verb last, and step 2 reads “apples”. The flag is flipped to French: what does step 2 read?
    .choice1 = I
    .choice2 = eat
    .choice3 = apples, as before
    .shown = “eat” gets { $weight }. The decoder counts its steps as before; only the table that turns a step into a question is another.
