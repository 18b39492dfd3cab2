question = Can one sentence need several summaries?
doThis = Make hop 2 equal to hop 1, and compare A·Aᵀ and the penalty before and after.
live = Hop 1 gives “good” { $good }, hop 3 gives “cat” { $cat } and shares the rest. The penalty is { $penalty }.
contrast = Here one sentence gets several rows side by side. Hierarchical attention has one row a level: words first, then sentences.
history = The last state of an LSTM squeezes a sentence into one vector. This embedding (2017) keeps several rows and punishes equal ones. Multi-head self-attention gives every word such rows, and replaced it.

equal_hops =
    .question = All three hops look at “good” alone. How large is the penalty ‖A·Aᵀ − I‖²?
    .shown = { $total }: A·Aᵀ has a 1 everywhere, so six of its nine numbers miss the identity by 1.
