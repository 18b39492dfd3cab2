question = How do rotated vectors know their distance?
doThis = Move the first position: all arrows turn, the angle between them stays, and so do the weights.
live = Token 4 gives the one before it { $weight }, although all queries are equal and all keys are equal.
contrast = Sinusoids are added to the words once. RoPE rotates queries and keys in every layer, and leaves the values alone.
history = Added positions mix with the words’ meaning. Rotation (2021) puts distance into the score alone; most language models of today use it.
