question = How few pairs connect all words within two layers?
doThis = Set the layers to 2: every pair below the diagonal is reached. Then lengthen the text to 64 words and set the stride to 8, its square root.
live = The last word has { $keys } keys with weights { $weights }: all of the nearest, and every third of those farther back.
contrast = A window alone needs one layer for every width of it. A few far keys more, and two layers are enough.
history = Full attention over images and sound of more than 10,000 steps did not fit into memory. The Sparse Transformer (2019) needs far fewer pairs; later models keep its idea, local and far, with other shapes.

pairs_of_a_root_stride =
    .question = A text four times as long, and a stride twice as long, its square root again. The pairs become …
    .choice1 = about 4 times as many
    .choice2 = about 8 times as many
    .choice3 = 16 times as many
    .shown = { $short } words: { $few } pairs. { $long } words: { $many }, that is { $times } times as many. All pairs would become 16 times as many.

textbook1 =
    .writes = Local and atrous joined, on both sides of a word.
    .means = The paper is causal: no word sees a later one. Combine the parts “local” or “atrous” for the textbook’s picture.
