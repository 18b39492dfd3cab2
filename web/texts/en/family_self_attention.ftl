# The look of a map of weights, by its numbers.
patternNames =
    .previous = previous word
    .next = next word
    .same = same word
    .first = first word
    .diagonal = diagonal: itself
    .uniform = uniform

mapNames =
    .weights = Weights
    .head = Head { $n }
    .feature = Feature { $n }
    .allFeatures = All features, which agree
    .encoder = Encoder, layer { $n }
    .decoder = Decoder, layer { $n }
    .cross = Cross-attention, layer { $n }
    .forward = Looking back
    .forwardFeature = Looking back, feature { $n }
    .backward = Looking ahead
    .backwardFeature = Looking ahead, feature { $n }

longText = A long text of yours, up to 2,000 words
query = query
key = key
weight = weight
length = ‖value‖
contribution = weight × ‖value‖
contributionNote = The key adds weight × value to the output. A large weight is not by itself an explanation.
maps = All maps, on one scale from 0 to 1
heads = Heads on and off
output = Output of the chosen word
sentence = What is chased
last = How it is
layers = Layer looked at
layer = layer { $n }
positions = Positions E
position = position
axis = axis
positionNumber = number
products = Dot product of two positions
distance = distance j − i
from = from { $word }
weightByDistance = Weights of { $word } by distance
turns = Query and key after their rotation, pair by pair
pair = pair { $n }
queryOf = query { $word }
keyOf = key { $word }
table = Table of keys, one score for each distance
slope = Slope of head { $n }
alpha = α: how much each step costs
start = First position
scale = Scale
c = c: the range of scores is −c to c
resample = Sample again
seed = random seed { $n }
kept = kept as key
keepProbability = probability of keeping
phrase = Phrase
addWord = Add { $word }
removeWord = Take the last word away
next = Next word
probability = probability
step = Word written
stepBack = One word back
stepOn = Write one more word
stepOf = { $n } of { $all }
written = Written so far

# The two sides of a switch: as the mechanism was designed, and without what it adds.
sides-multi_head =
    .label = Heads
    .designed = four
    .without = all as one

sides-multi_query =
    .label = Questions
    .designed = three
    .without = their mean

sides-split_heads =
    .label = Vectors
    .designed = split in two
    .without = whole

sides-two_stage_heads =
    .label = Second stage
    .designed = a question for each head
    .without = the same word for both

sides-sinusoidal =
    .label = Query matrix W_q
    .designed = turned by one step
    .without = not turned

sides-learned_positions =
    .label = Positions
    .designed = on
    .without = off

sides-recurrent_positions =
    .label = The cell
    .designed = moves on
    .without = stands still

sides-relative_positions =
    .label = Table
    .designed = high at −1
    .without = high at +1

sides-rope =
    .label = Query
    .designed = one step behind its key
    .without = equal to its key

sides-alibi =
    .label = Bias
    .designed = by distance
    .without = off

sides-distance_self_attention =
    .label = Distance
    .designed = counts, α = 1.5
    .without = does not count, α = 0

sides-disan =
    .label = Features
    .designed = weights of their own
    .without = the same weights

sides-resa =
    .label = Kept
    .designed = content words
    .without = all words

sides-transformer =
    .label = Positions
    .designed = on
    .without = off

sides-transformer_generate =
    .label = Positions
    .designed = on
    .without = off
