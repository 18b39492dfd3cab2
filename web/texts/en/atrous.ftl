question = Can a word skip its neighbors and still see far?
doThis = Choose a pair that is hatched and move the layers on. Then combine the pattern with a window of 1.
live = The second word has { $keys } keys, three words apart, with weights { $weights }. The words between them get nothing.
contrast = With a stride alone the text falls into separate groups. The Sparse Transformer adds the neighbors, and the groups join.
history = It takes the holes of dilated convolution over to attention, against the narrow view of a window. Alone it is not used; joined with a window it became the Sparse Transformer’s pattern.

reach_of_a_stride =
    .question = Every third word is seen, and from now on its direct neighbors, too. After how many layers has every word something of all nine?
    .choice1 = 3 layers
    .choice2 = 8 layers, as with the neighbors alone
    .choice3 = Never
    .shown = { $joined } layers. The stride alone reaches { $alone } of the 81 pairs, in { $stride } groups that never meet; the neighbors join them.

textbook1 =
    .writes = dilated or “holed” self-attention: distances k, 2k, 3k, … with k > 1
    .means = Three names for one thing. The distance 0, the word itself, is seen as well.
