question = Can one token connect a whole document?
doThis = Set the layers to 2: everything is reached, by way of [CLS]. Then take its global role away and look again.
live = [CLS] spreads over { $allKeys } keys, { $each } each. “the” in the middle has { $keys }: { $weights }.
contrast = Here all far connections run through one token. BigBird adds pairs drawn at random, so that there is more than one way.
history = BERT stops at 512 tokens. Longformer (2020) reads 4096: a window everywhere, full sight for the few tokens that a task asks about. Faster exact kernels and longer windows followed.

pairs_of_longformer =
    .question = A window of 64 and one global token. The text becomes twice as long. The pairs become …
    .choice1 = about twice as many
    .choice2 = about three times as many
    .choice3 = four times as many
    .shown = { $few } pairs become { $many }, { $times } times as many. A window costs the same for each word, and a global token two pairs a word.

textbook1 =
    .writes = Sparse attention: fewer pairs “by rules or random sampling (Longformer, BigBird)”.
    .means = Longformer is all rules; the random part is BigBird’s.
