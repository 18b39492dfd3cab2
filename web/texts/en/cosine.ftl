question = Should a long vector get more attention for being long?
doThis = Drag the query, or move it with the arrow keys, and watch the weights. Then switch to the dot product.
live = The texts “cat”, “cat cat cat” and “dog” get { $weights }.
contrast = Dividing by √d treats all vectors alike, so longer ones still score higher.
history = Neural Turing Machines (2014) read memory by content, whatever its size, and learned how sharply. Dot products became usual; normalized queries and keys are back in large models, for stable training.

longer_query =
    .question = The query is made twice as long. Do its weights change?
    .choice1 = Yes
    .choice2 = No
    .shown = Still { $weights }: each vector is divided by its length.
