question = Where was the director born? A fact is found by one thing and tells another.
doThis = Go through both hops: a key is found, its value becomes part of the next query. Then tie V = K and go through both hops again.
live = The strongest keys get { $one } and then { $two }; the answer is { $answer }.
contrast = There one sentence serves for both, by two learned tables. Here who writes the memory decides what is compared and what is read.
history = A sentence is a poor key: the words that find it are not those that answer. Key-value memories (2016) let keys be the context and values the answer. Transformers kept the split; retrieval systems store text passages by such keys.

tied_memory =
    .question = V is tied to K. How sure is the network of its answer among four?
    .choice1 = As sure as before
    .choice2 = All four alike
    .choice3 = Sure of a wrong one
    .shown = The probabilities are { $probabilities }: no person was ever read, so no birthplace is.

textbook1 =
    .writes = αᵢ = softmax(a(q, kᵢ)), c = Σᵢ αᵢ vᵢ
    .means = One hop. Here a matrix R follows each hop and makes the next query.
