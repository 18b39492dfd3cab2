question = May a model throw words away before it attends?
doThis = Sample again a few times; then keep all words and compare.
live = “cat” gives chases { $chases } and mouse { $mouse }; it is kept with probability { $kept }. A word that is not kept attends to nothing: its row is 0.
contrast = DiSAN weighs all pairs. ReSA draws which words take part, then runs the same soft attention among them.
history = Soft attention spreads over every word. ReSA (2018) selects some by sampling, trained with policy gradient; sparse patterns and sparsemax select without sampling.

textbook1 =
    .writes = mead_pooling
    .means = Mean pooling.
