# The state
stored = Stored
token = Read so far
next = Next token
back = One token back
all = All tokens
state = state S
normalizer = z
axis = axis
component = value component
number = number in the state
readings = What each query reads from the state
tokens = The tokens so far, and the weights that the reading stands for
price = stored
reads = reads
softmax = softmax
delta = delta
adding = adding
value = value
weight = weight
query = query
sees = Each token reads
causal = the tokens so far
whole = all tokens
beta = β, how far a token corrects
less = Less
more = More

# Counting
count = The work for n words
words = n words
half = Half as many words
double = Twice as many words
order = Order
multiplications = multiplications
kept = numbers kept
pairs = (Q Kᵀ) V: all pairs
pairsSoFar = (Q Kᵀ) V: all pairs so far

# Topics
topics = φ(K), a topic in each column, which sums to 1: press a number. Beside it the weights for the query
asks = The query asks for
topicWeights = Weights of the words for this query

# Errors
map = Map
exact = softmax
approximate = approximation
difference = error
key = key
features = Random features m
halfFeatures = Half as many features
doubleFeatures = Twice as many features
redraw = Draw again
errorMap = where it errs
errorCurve = how much it errs
relativeError = Error of all weights, relative
logFeatures = log₂ m
error = relative error
thisDraw = this draw
here = here
keys = Months
smooth = in order: smooth
spiky = shuffled: spiky
mixtures = Mixtures
means = means of neighbors
random = random
rank = Rank r
lower = Fewer mixtures
higher = More mixtures
mixture = mixture
share = share of a month
month = month

# Clusters
iterations = Iteration
earlier = One iteration back
later = One more iteration
lambda = λ, how sharply pixels choose
plane = Pixels by red and blue, and the bases that are fitted to them
red = red
blue = blue
pixel = pixel
base = base
colors = colors
picture = picture
rebuilt = from the bases
tokenOf = { $t } of { $n }
pairsStored = { $n ->
    [one] { $n } pair
   *[other] { $n } pairs
}
divided = { $name } reads φ(q)·S ÷ φ(q)·z = { $num } ÷ { $den } = { $out }.
numbersKept = S and z: { $state ->
    [one] { $state } number
   *[other] { $state } numbers
}, as at every token. Keys and values so far: { $pairs }.
corrected = Before this token { $name } read { $old }. The state moves by β (v − { $old }) = { $beta } · ({ $value } − { $old }) = { $added } along its key.
fewer = { $times ->
    [one] For { $n ->
        [one] { $n } word
       *[other] { $n } words
    } both orders take about as many multiplications.
   *[other] For { $n ->
        [one] { $n } word
       *[other] { $n } words
    } the second order takes about { $times ->
        [2] half
       *[other] 1/{ $times }
    } of the multiplications.
}
moreTimes = For only { $n ->
    [one] { $n } word
   *[other] { $n } words
} it takes { $times } times as many multiplications: nothing is saved yet.
mix = φ(q) = { $positive } · positive + { $negative } · negative
norm = Relative error of all weights: { $relative }. The largest error of one: { $largest }.
seed = random by definition, seed { $n }
weightsOf = { $few }/{ $all } weights
baseN = base { $n }

# How each mechanism orders its work, in the table of the counts.
orders =
    .linear = φ(Q) (φ(K)ᵀ V): a state
    .linear_rnn = φ(Q) (φ(K)ᵀ V): a state
    .delta_rule = delta rule: a state
    .efficient_attention = φ(Q) (φ(K)ᵀ V): d topics
    .performer = φ(Q) (φ(K)ᵀ V): m features
    .linformer = Q (E K)ᵀ, F V: r mixtures
    .em_attention = X μᵀ: K bases, I times

# The sets of pairs, by their ids.
sets =
    .twice = one key twice
# In their order.
fruits =
    .apple = apple
    .pear = pear
    .grape = grape
    .peach = peach
    .plum = plum

columns =
    .price = price
    .sweet = sweet
    .sour = sour

months =
    .jan = Jan
    .feb = Feb
    .mar = Mar
    .apr = Apr
    .may = May
    .jun = Jun
    .jul = Jul
    .aug = Aug
    .sep = Sep
    .oct = Oct
    .nov = Nov
    .dec = Dec
