question = Must each head start from the words, or can heads share a first query?
doThis = Give both heads the same question: their maps become equal.
live = The last “saw” gives the first “saw” { $first } in head 1, and the word before it { $before } in head 2.
contrast = Both stages are matrices, so their product is one matrix for each head: multi-head attention, written in two steps.
history = A textbook’s way to draw heads: first q, then q¹ and q². Programs multiply both stages into one matrix.
