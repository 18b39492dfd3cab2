query = query
token = token
key = key
score = score
weight = weight
soft = by softmax
unscaled = divided by 1
output = output
draws = draws
redraw = Draw again
keep = keys kept, k
bars = Scores and weights of the keys
mix = values, each times its weight, add up to the output
axes = what each word has; press the query’s numbers
W = W: which country goes with which capital
places = W: a row for each position, no key
words = keys: press a number to change the word
store = key K beside value V
window = the window of this word
labels = outputs: one for each label
plane = query and keys as arrows, values as an area, output as a dot
curve = weight of the chosen key as its score moves
units = two tanh units and the score they make
keyNumber = number of the key
unitA = unit 1
unitB = unit 2
here = this mechanism
scoreOf = score
normalizer = weights by
scale = scores divided by
value = value
own = price
tied = tied: V = K
mixing = each unit sees
both = verb and noun
one = only one of them
table = table W
capitals = by hand
identity = identity, W = I
netWindow = words seen
three = one on each side
alone = this word alone
sum = sum of the weights
keyN = key { $n }
queryN = query { $n }
shares = All keys share one scale: scores { $from } to { $to }, weights 0 to 1. The weights sum to { $sum }.
times = { $weight } · { $name }
label = “{ $word }” is labeled { $label }.
drawn = mean of { $n }

# The words that the window of a word sees.
names =
    .before = before
    .here = here
    .after = after

# Score functions to choose from.
scores =
    .dot = dot
    .dotProduct = dot product
    .scaled = scaled
    .cosine = cosine
    .additive = additive
    .location = location
