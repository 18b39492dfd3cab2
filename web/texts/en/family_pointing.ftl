step = Step
numbers = Numbers, and the weights of the chosen step
number = number
allSteps = The weights of all steps
inOrder = Pointed at, in order:
coverageWeight = Coverage w_c
less = lower w_c
more = raise w_c
source = The source
attention = attention
coverage = coverage so far
generate = generate
copy = copy
together = together
unknownWords = Dashed: out-of-vocabulary words, which can only be copied.
selectiveRead = Selective read
heard = The source
readAgain = selective read: copied last
vocabulary = The vocabulary
oneSoftmax = All bars of “copy” and “generate” sum to 1: one softmax.
places = The document: a weight for each position
weight = weight
sums = A sum for each word
probability = probability
stage = Show
readsOn = “who” knows the words after it
meanBeta = β̄: mean of the rows
sumOfPlaces = probability: s summed over all positions of the word
stepN = step { $n }
place = position { $n }
weightAt = weight, step { $n }
pointsAt = step { $n } points at { $x }
coverageLoss = coverage loss { $loss }
mixed = The next word: p_gen = { $pGen } generates, the rest copies
asks = Question: “{ $query }”
atPlace = Position { $n }: put
answers = Answer: “{ $word }”

stages-match =
    .name = 1 scores M
    .letter = M: scores
    .says = Each word of the document (row) meets each word of the question (column).

stages-alpha =
    .name = 2 α down
    .letter = α: each column sums to 1
    .says = α, softmax down each column: where in the document does this word of the question look?

stages-beta =
    .name = 3 β across
    .letter = β: each row sums to 1
    .says = β, softmax across each row: which word of the question matters to this word? The mean of the rows is β̄.

stages-product =
    .name = 4 s = α·β̄
    .letter = s
    .says = The columns of α are mixed by β̄: the words of the question that matter count more.
# Between the words of a sentence.
joint = { " " }
writes = It writes: { $words }
reply = It replies: { $words }
whoIs = Question: “{ $query }?”
