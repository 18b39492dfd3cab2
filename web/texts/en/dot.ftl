question = How can a product of two vectors tell how alike two words are?
doThis = In the query’s row take “male” away and add “female”, then take “king” away and add “queen”: the largest weight moves to queen.
live = The query scores { $scores } with the four words; softmax makes weights of them: { $weights }.
contrast = The dot product compares axis 1 with axis 1, axis 2 with axis 2. Bilinear attention puts a learned table between them: any axis may match any other.
history = Additive scores need a small network for every pair. Luong (2015) used one product for all pairs instead: far faster, but queries and keys must have the same width. Scaling it by √d replaced it.

add_hundred =
    .question = 100 is added to every score of a row. What happens to its weights?
    .choice1 = Nothing
    .choice2 = They become sharper
    .choice3 = They become more even
    .shown = Before: { $before }. After: { $after }. Softmax knows only the differences between scores.

textbook1 =
    .writes = “click attention”
    .means = A slip of one Chinese character for “dot-product attention”.

textbook2 =
    .writes = α_ij = qⁱ · kⁱ
    .means = α_ij = qⁱ · kʲ: the key is that of token j.
