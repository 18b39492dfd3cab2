checkpoint = Checkpoint
steps = { $n ->
    [0] random, before training
   *[other] after { $n ->
        [one] { $n } step
       *[other] { $n } steps
    } of training
}
play = Play the training
pause = Pause
earlier = Earlier
later = Later
accuracy = right on examples kept from training
loss = loss
chance = guessing gives { $share }
example = Another example
reads = It reads
says = It says
right = Right is
about = { $parameters ->
    [one] { $parameters } number
   *[other] { $parameters } numbers
}, trained on a toy task, seed { $seed }
weight = attention weight
row = step
col = input
failed = The trained weights did not arrive
retry = Try again

models-bahdanau =
    .task = Reverse the letters of a word
    .forms = The decoder writes one letter a row. With training the weights move onto the anti-diagonal: the last letter is read first.

models-pointer_network =
    .task = Point at numbers in rising order
    .forms = Each row is a step, and its weights are the answer itself: the position it points at. At first every number gets about as much.

models-self_attention =
    .task = Continue a phrase that came before
    .forms = A head of layer 1 learns to look one word back. Only then can a head of layer 2 find what followed the last word the time before.

models-hierarchical_attention =
    .task = Judge four sentences by the one that says “overall”
    .forms = At first all sentences and all words weigh the same. Training gives the sentence with “overall” its weight, and within it the word that praises or blames.

models-pointer_generator =
    .task = List the names of a text
    .forms = Most names are not in the vocabulary, so they are copied: a row’s weight comes to stand on the name that it writes.

models-attention_over_attention =
    .task = Say who X is
    .forms = β comes to rest on X, whose state has read the whole question, and s on the right name.

models-key_value_memory =
    .task = Say where a thing is, by two facts
    .forms = Hop 1 finds the fact who has the thing, hop 2 the fact where that person is.

models-graph_attention =
    .task = Say to which community each node belongs
    .forms = Each row is a node, with the weights of its neighbors. With training they go to the neighbors that know (●), away from those that only guess (○). Pairs without an edge are hatched.

models-pictures =
    .places = s: the weights of the document’s positions
    .beta = β: weights of the question’s words, for each word of the document
    .hops = weights of the facts: a row for each hop
    .neighbors = weights of the neighbors, head { $head }
    .steps = weights: a row for each step
    .head = weights of layer { $layer }, head { $head }
    .sentences = weights of the sentences
    .words = weights of the words within each sentence
