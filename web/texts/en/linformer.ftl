question = If neighbors are alike, why keep every key?
doThis = Raise the rank step by step and watch the error. Then shuffle the months and do it again.
live = The first month gives its mixtures { $weights }. In all there are { $all } weights.
contrast = Performer replaces the exponential and takes texts of any length. Linformer shortens the text: n keys become r, n is fixed beforehand, and a mixture holds later words, so there is no causal form.
history = Weights of trained Transformers are nearly of low rank, yet all n² are computed. Wang (2020) learned r mixtures of the keys. Since it cannot write word by word, FlashAttention and smaller key-value caches took its place.

same_words_other_order =
    .question = Six words, two of each kind, are averaged in pairs of neighbors. Is the error the same whether equal words stand together or apart?
    .choice1 = Yes, they are the same words
    .choice2 = No, together there is none
    .choice3 = No, apart there is none
    .shown = Together: relative error { $together }. Apart: { $apart }. A mean keeps what its words share.
