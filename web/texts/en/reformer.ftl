question = Can similar words find each other without comparing all?
doThis = Set the rounds to 1: marked pairs are close, but fell into different buckets. Add rounds until no pair is marked, or draw again.
live = The token at 0° gives its twin at 10° the weight { $weight }. { $kept } of { $all } pairs of two tokens are computed.
contrast = BigBird’s pattern is drawn before the text is read. Here the text itself decides who shares a bucket.
history = Softmax gives nearly all weight to a few similar keys, so it is enough to find them. Reformer (2020) did so for 64,000 tokens; sorting and several rounds cost time, and exact fast kernels took over.

longer_vector_same_bucket =
    .question = All vectors become twice as long, in the same directions. How many tokens change their bucket?
    .choice1 = None
    .choice2 = About half
    .choice3 = All
    .shown = { $moved } of { $count }: buckets { $buckets } before and after. The largest of the rotated coordinates stays the largest.
