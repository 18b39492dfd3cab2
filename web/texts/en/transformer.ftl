question = How do two layers continue a repeated phrase?
doThis = Feed another phrase with the buttons, a repeated one or a new one; then switch positions off.
live = In layer 2 the last “chase” looks at “mice” with weight { $weight }, so “mice” comes next with probability { $probability }. Layer 1 told each word which one stood before it.
contrast = Here all words of the target are there at once, behind a causal mask. Generation writes them one after another.
history = Recurrent encoder-decoders read one word after another. The Transformer (2017) trains on all positions at once; language models of today keep its decoder alone.
