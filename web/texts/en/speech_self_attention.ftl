question = A second of speech is about a hundred vectors. How far must each look?
doThis = Choose a frame of the first “a” and hear its five strongest frames. Then let it see all frames: it finds the second “a”.
live = Frame 7 gives the first “a” { $first }, the second “a” { $second }.
contrast = An image has few patches, and all see all. Sound is long: 10 minutes are 60,000 frames, so each sees a band around itself.
history = Speech has so many frames that all pairs do not fit, and a listener must not wait for the end. Truncated self-attention (2019) sees a band; today’s recognizers join it with convolution, in chunks.

kept_pairs =
    .question = 34 frames, each sees eight before and eight after. What share of all pairs is kept?
    .choice1 = less than half
    .choice2 = exactly half, 17 of 34
    .choice3 = more than half
    .shown = { $kept } of { $all }: the frames at both ends have fewer neighbors. Twice as many frames would keep twice as many pairs, not four times.

textbook1 =
    .writes = 1 second has 100 vectors
    .means = A frame every 10 ms; but each needs 25 ms, so the last that fits is the 98th.
