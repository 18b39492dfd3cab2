question = What does each written word look at before the next is chosen?
doThis = Write one word more, and follow the arc; then switch positions off.
live = At the first step “cats” scores { $cats } and “chase” { $chase }: the largest logit is written, then the decoder reads it.
contrast = On the other page all words of the target are there at once. Here each step reads only what has been written; the keys and values of those words are kept, the KV cache.
history = The likeliest word of each step may spoil the sentence, so the Transformer of 2017 kept several (beam search); models of today sample.
