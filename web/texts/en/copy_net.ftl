question = Can a reply repeat a name that it has never seen, word by word?
doThis = Go through the steps: the selective read marks what was copied last, and the next word follows. Then switch it off.
live = Step 2 copies “Pablo” with { $first }, step 5 “Picasso” with { $last }. Neither is in the vocabulary.
contrast = A pointer network has positions only. CopyNet puts the positions and the vocabulary into one softmax, and reads again what it copied.
history = Chat models answered a new name with UNK. CopyNet (2016) copies from the source and knows where it is in it. Subword vocabularies and the induction heads of Transformers do this today.

without_selective_read =
    .question = The selective read is switched off. What does CopyNet say after “welcome”?
    .choice1 = The name, as before
    .choice2 = The first word of the name, again and again
    .choice3 = Only words of its vocabulary
    .shown = It says “{ $text }”: the state of each step is the same after “am”, and nothing tells where it is.
