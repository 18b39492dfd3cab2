question = How does a summary name someone it has never heard of?
doThis = Move w_c from −4 to 0, which switches coverage off, and read the four steps again.
live = p_gen is { $name } at the first step and { $known } at the second: what is not in the vocabulary is copied. Coverage loss is { $loss } in all.
contrast = Here a gate p_gen mixes two distributions. In CopyNet words and positions compete in one softmax, without a gate.
history = Summarizers with a fixed vocabulary wrote UNK for names, and repeated themselves. Copying and coverage (2017) answered both. Subword vocabularies and pretrained Transformers took its place.

without_coverage =
    .question = Coverage is switched off: w_c = 0. How large is the coverage loss over the four steps?
    .choice1 = 0: there is nothing to cover
    .choice2 = as with coverage
    .choice3 = several times as large
    .shown = { $without } against { $covered }: every step looks where the steps before looked.

textbook1 =
    .writes = p_gen = σ(w_h·h_t + …)
    .means = h*_t, the context vector, not a state of the encoder.
