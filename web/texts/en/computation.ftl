title = Self-attention, number by number
lede = Each token compares its query with every key, turns the scores into weights, and takes the weighted sum of the values. Choose any number below and follow it to where it comes from.
sumsToOne =
    .rows = each row sums to 1
    .columns = each column sums to 1
sums = sums to 1
sumsOrEmpty = sums to 1 or 0

controls = Controls
input = Input
example = Worked example
textOfVisitor = Your text
scale = Scale
scaleOne = scale 1, unscaled
scaleRoot = scale one over the square root of d
causal = Causal mask
causalHint = A token sees itself and what stands before it.
positions = Positions
attention = Attention
kinds =
    .dense = dense
    .sparse = sparse
    .linear = linear
toPattern = Go to the pattern: { $kept } of { $all ->
    [one] { $all } pair
   *[other] { $all } pairs
} kept
pairs = { $kept } of { $all ->
    [one] { $all } pair
   *[other] { $all } pairs
}
toFeatureMap = Go to the feature map
back = Back to the example’s numbers
failed = This could not be computed

# Below the sentence.
headNotes =
    .same = Query and key are the identity axes: a token finds every copy of itself.
    .previous = The query is the position turned back by one step. The first token has no previous one; its query falls nearest to itself.
    .next = The query is the position turned forward by one step. The last token has no next one.
    .first = Every query carries the position of the first token, through the axis that is always 1.
    .nearby = Query and key are the position itself, a tenth as sharp: neighbors share the weight.
    .pronoun = A pronoun asks for noun and for animate. All other tokens ask for nothing, so their weights are uniform.
    .pronounLinear = A pronoun asks for noun and for animate. All other tokens ask for nothing: softmax would make their weights uniform, a feature map need not.
noPronoun = There is no listed pronoun in this text, so every row is uniform.
withoutPositions = Positions are off: heads that look for a position find none, and equal words get exactly equal outputs.
cut = This text has { $total ->
    [one] { $total } token
   *[other] { $total } tokens
}. The first { $drawn } are drawn; beyond that the cells become too small to point at on this screen.
longText = A text of up to 2,000 words has a page of its own.
unlisted = Not in the small built-in word list: { $words }. They have identity and position only.
allListed = All words are in the small built-in list.
repeated = “{ $word }” stands at positions { $places }. { $apart ->
    [0] Their outputs are exactly equal.
   *[other] Their outputs differ, by up to { $apart }.
}

# The axes of a word’s vector.
features =
    .noun = noun
    .verb = verb
    .adjective = adjective
    .pronoun = pronoun
    .animate = animate
    .function = function word
    .positive = positive
    .negative = negative
constant = constant 1
axisNotes =
    .identity = 1 where the token is “{ $name }”, 0 elsewhere.
    .feature = 1 where the word list says “{ $name }”.
    .position = Where the token stands: { $name }, with t counted from 0.
    .constant = Always 1: through it a head can ask the same of every token.
blocks =
    .identity = identity
    .feature = features
    .position = position
    .constant = 1

# Arrays that the page sets beside an attention.
names =
    .pattern = pattern
    .dense = dense weight
    .exact = softmax weight
    .error = difference

# Texts below the name of a stage.
bodies =
    .example = Three tokens a₁, a₂, a₃, each a vector of width 4. These are the numbers of the worked example; change any of them and everything below follows.
    .vectors = Every axis can be read: which word it is, what the word list says about it, where it stands (sinusoids of growing wavelength), and a constant 1.
    .query = Three matrices turn each input into what it asks for (query), what it offers to be found by (key), and what it hands over (value).
    .queryOfHead = The head is three matrices, for queries, keys and values, written by hand. A component of q or k is named after the axis it is meant to meet.
    .scores = The dot product of each query with each key: large where they point the same way.
    .scaledOne = Unscaled: the scores go into softmax as they are.
    .scaledExample = The text this example comes from leaves the scores unscaled, to keep the numbers whole. Switch to 1/√d to see what the formula of its own code gives.
    .scaled = Divided by √d, so that wide vectors do not push softmax to its ends.
    .masked = A token sees itself and what stands before it. The other pairs get the score −∞, and so weight 0.
    .maskedSparse = Only the kept pairs are computed. The others count as score −∞, and so weight 0. A score of 0 would not do: e⁰ = 1 takes a share.
    .weights = Softmax makes each query’s scores positive and lets them sum to 1.
    .weightsSparse = Softmax over the kept keys alone: they share the 1 among themselves.
    .weightsLinear = Linear attention never forms them. These are the weights that would give the same output.
    .dense = For comparison: the weights of the same input where every pair is kept.
    .exact = For comparison: the weights of softmax attention on the same input.
    .error = The weights that linear attention stands for, less those of softmax.
    .output = Each query takes the weighted sum of the values.
    .outputLinear = Each query reads the state: the numerator is φ(q)·S, the denominator φ(q)·z. No pair of query and key is ever formed.
    .outputPlain = Each query reads the state. The features sum to 1 already, so nothing is divided. No pair of query and key is ever formed.
    .queryFeatures = A feature map φ is applied to each query and to each key. Their similarity is then the product of two features, with no softmax over pairs.
    .state = Keys and values are multiplied first. S and z hold all that the queries will read, and they stay as small however long the text.
    .statePlain = Keys and values are multiplied first. S holds all that the queries will read, and it stays as small however long the text.
    .stateCausal = Each token adds its features times its value to the state, and its features to z. The state never grows: it is a recurrent network’s. Each query reads the state after its own token.

# Notes on single numbers.
given = Set by hand: nothing comes before it.
givenYours = Your own number: nothing comes before it.
later = This key stands after the query. The causal mask sets its score to −∞.
unseen = This key stands after the query: it is not in the state yet, so its weight is 0.

# Sparse attention.
pattern = Pattern
choose = choose
paint = paint
painted = painted
counts = { $kept } of { $all ->
    [one] { $all } pair
   *[other] { $all } pairs
} kept, density { $density }.
withCausal = With the causal mask { $allowed }.
noneEmpty = Every query keeps at least one key.
someEmpty = { $n ->
    [one] { $queries } keeps no key: all its scores are −∞, so all its weights are 0 and its output is 0, not an average.
   *[other] { $queries } keep no key: all their scores are −∞, so all their weights are 0 and their outputs are 0, not an average.
}
kept = kept
leftOut = left out
emptySum = no key is kept
keptPair = The pattern keeps this pair: its score goes on.
leftOutPair = The pattern leaves this pair out: its score becomes −∞, and so its weight 0.
emptyQuery = This query keeps no key. There is nothing to share out: all of its weights are 0, and its output is 0.

# Linear attention.
map = Feature map
maps =
    .elu1 = elu + 1
    .relu = relu
    .squaredRelu = relu, squared
    .exp = exp
    .softmax = softmax: Efficient Attention
    .favor = FAVOR+: random features
    .taylor = Taylor, second order
mapNotes =
    .elu1 = x + 1 where x is positive, eˣ elsewhere: always above 0.
    .relu = x where x is positive, 0 elsewhere. Where all similarities are 0, the denominator is 0 too.
    .squaredRelu = The square of relu: large features count for more, so the weights are sharper.
    .exp = e to the power of each component. c is the square root of the scale; m keeps the numbers small and cancels.
    .softmax = Softmax over the components of each query, and over the tokens for each component of the keys.
    .favor = Random features: on average, their product is softmax’s own e to the power of the scaled score. More features, less error; long queries and keys need many. c is the square root of the scale; m cancels.
    .taylor = The product is 1 + x + x²/2 of the scaled score x: close to eˣ near 0, too small for large scores. c is the square root of the scale.
mapSteps =
    .elu1 = { $positive ->
        [true] x + 1, as x is positive
       *[other] eˣ, as x is not positive
    }
    .relu = { $positive ->
        [true] x itself, as it is positive
       *[other] 0, as x is not positive
    }
    .squaredRelu = { $positive ->
        [true] x², as x is positive
       *[other] 0, as x is not positive
    }
needsAllKeys = Efficient Attention looks at all keys at once, so it cannot be combined with the causal mask. elu + 1 is shown instead.
fields =
    .features = features
    .seed = seed
errorsOf =
    .weights = Of the weights
    .output = Of the output
largest = largest error
relative = relative Frobenius error
at = at { $row }, { $col }
zero = { $n ->
    [one] { $queries }: all similarities are 0, and so is the denominator.
   *[other] { $queries }: all similarities are 0, and so are the denominators.
} There is nothing to share out, and 0 ÷ 0 is not a number (NaN).
cost = For { $tokens ->
    [one] { $tokens } token
   *[other] { $tokens } tokens
} and { $features ->
    [one] { $features } feature
   *[other] { $features } features
}, (QKᵀ)V takes { $pairs ->
    [one] { $pairs } multiplication
   *[other] { $pairs } multiplications
} and φ(Q)(φ(K)ᵀV){ $divided ->
    [true] { " " }with its denominators
   *[other] { "" }
} { $linear }; the second takes fewer from { $from ->
    [one] { $from } token
   *[other] { $from } tokens
} on.
