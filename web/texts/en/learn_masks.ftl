title = Masks and decoding
body = A mask[[掩码]] sets scores to −∞. The padding mask hides filler; the causal mask hides later words: a model that writes word by word cannot have read them. Each new word needs one row only; the keys and values of earlier words are kept, the KV cache.
doThis = Write word after word and compare the rows. Then switch the causal mask off.

whole_row_masked =
    .question = Every key of a query is masked. What are its weights?
    .choice1 = All equal, so that they sum to 1
    .choice2 = All zero
    .shown = The largest weight is { $most }, the largest number of the output { $output }. By its formula softmax would divide 0 by 0: the weights are all zero here; many libraries give NaN.

further =
    .transformer_generate = A Transformer that writes

masks = Masks
causal = Causal: no word sees later ones
padding = Padding: none sees [pad]
query = query
key = key
weight = weight
atOnce = All words at once, with masks
wordByWord = Word by word, with the keys kept
written = Words so far
place = { $word } of { $of }
back = One word less
on = Next word
hatched = Hatched: masked, or not yet written. Computed live.
same = Rows 1 to { $rows } agree on both sides (largest difference { $most }): a model trained with the causal mask can write word by word.
other = In rows 1 to { $rows } the two sides differ by up to { $most }: at the left words see what is not yet written.
