step = decoder step
next = Next word
back = Back
all = All
target = target word
source = source word
weight = weight
fixed = without attention: the last state, at every step
fixedNumber = left of the word
otherFlag = the same steps under the other flag
flag = language flag
French = French
Japanese = Japanese
score = score
table = Wa: a dictionary; press a cell
noTable = dot: h_t · h̄_s as they are, no table between them
units = Wa of concat: each unit knows one pair of words
block = block
gates = gates
open = open
shut = shut
field = what the kernels can see
second = German source
firstSource = English
german = German
probability = probability
vocabulary = the next word
variant = center
predictive = local-p: predicted
monotonic = local-m: the step itself
center = center p
halfWidth = half of the window, D
gaussian = Gaussian
toLeft = less
toRight = more
window = the window on the source and the weights in it
before = before the Gaussian
premise = premise
hypothesis = hypothesis
direction = direction
beta = premise → hypothesis
alpha = hypothesis → premise
reorder = Reorder premise
exchange = Exchange both
verdict = verdict
follows = follows
doesNot = does not
compared = not in the premise
state = hidden state
read = words read, and the hidden state after each
nextRead = Read the next word
encoder = encoder step
encoderScale = All rows share one scale: 0 to 1, or −1 to 1 where numbers are negative.
written = Written: { $words }
readSoFar = Read: { $words }
after = After “{ $word }” the state is { $state }.
readsTwo = “{ $word }” reads “{ $first }” and “{ $second }”.
stepOf = step { $step } of { $count }
stepN = step { $n }
fixedEncoder = A recurrent encoder that keeps { $kept } of its state a word, set by hand: of “{ $first }” { $left } is left.
reads = “{ $word }” reads “{ $source }” most, with weight { $weight }.
translated = The words written are our translation of the source word read most.
blockReach = After { $block ->
    [one] { $block } block
   *[other] { $block } blocks
} a word sees { $reach ->
    [one] { $reach } word
   *[other] { $reach } words
} back.
layer = { $n ->
    [0] input
   *[other] block { $n }
}
windowAt = Center { $center }, window { $from } to { $to }: { $words ->
    [one] { $words } word
   *[other] { $words } words
}. Their weights sum to { $sum }.
edge = The word furthest from the center is multiplied by { $factor }; at the very edge it is e⁻² = 0.135.
flat = No Gaussian: inside all alike, outside 0.
scale = Bars: weights, 0 to { $most }, one scale for all words.
verdictOf = “{ $premise }” → “{ $hypothesis }”: follows with probability { $probability }.

# The switch of each recurrent encoder: its defaults, or the catalog's contrast.
encoderChoices-rnn =
    .label = of the state is handed on
    .own = a half
    .other = nothing

encoderChoices-gru =
    .label = update gate
    .own = shut between writes
    .other = half open

encoderChoices-lstm =
    .label = forget gate
    .own = open
    .other = shut
