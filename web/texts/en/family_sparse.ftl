radius = window k
stride = stride k
window = window w
globalTokens = global g
block = block b
globalBlocks = global
random = random r
redraw = Draw again
pattern = Pattern
given = as given
combine = combine
paint = paint
words = Words
query = query
key = key
pairs = Layers until a pair is reached
layers = Layers
fewer = One layer less
more = One layer more
net = What reaches a word, layer by layer
input = words
hatched = hatched: not reached
painted = painted by hand
never = not reached
table = Table
layer = layer { $n }
ofLayers = of { $n }
kept = { $kept } of { $all ->
    [one] { $all } pair
   *[other] { $all } pairs
} are kept, density { $density }.
formula = Formula: { $count } = { $formula }.
bound = Formula: { $formula }, at most { $count }: a draw may meet a pair that is there already.
ends = Word 1 reaches the last word after { $layers ->
    [one] { $layers } layer
   *[other] { $layers } layers
}.
endsNever = Word 1 never reaches the last word, however many layers there are.
reached = With { $layers ->
    [one] { $layers } layer
   *[other] { $layers } layers
}, { $reached } of { $all ->
    [one] { $all } pair
   *[other] { $all } pairs
} are connected.
most = Nothing is added after { $layers }: { $reached }.
way = query { $query }, key { $key }: layer { $layers }, { $way }
noWay = query { $query }, key { $key }: never reached
tooMany = Words drawn layer by layer: up to { $layers ->
    [one] { $layers } layer
   *[other] { $layers } layers
}.
sees = After { $layers ->
    [one] { $layers } layer
   *[other] { $layers } layers
}, { $word } has something of { $count ->
    [one] { $count } word
   *[other] { $count } words
}.
scale = layer 1 to { $most }
pairsName = pairs ({ $n }×{ $n })
