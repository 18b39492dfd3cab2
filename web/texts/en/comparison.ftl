# Why two mechanisms are not compared.
refusals =
    .same = { $a } beside itself shows the same numbers twice. Choose another one.
    .nothing = { $a } counts work and has no input: there are no weights to lay beside others.
    .inputs = { $a } takes { $ofA }, { $b } takes { $ofB }: there is no input that both can be given.
    .twoSequences = { $a } looks at one sequence; the queries and keys of { $b } are two.
    .params = { $names } of { $a } fit its own input { $own } alone; { $b } brings { $brought }.
    .width = Wq, Wk and Wv of { $a } take vectors of { $own ->
        [one] { $own } component
       *[other] { $own } components
    }; { $b } brings { $brought }.
    .tokens = { $a } reads queries and keys in one order; { $b } brings { $queries ->
        [one] 1 query
       *[other] { $queries } queries
    } and { $keys ->
        [one] { $keys } key
       *[other] { $keys } keys
    }.
    .heads = The vectors of { $b } cannot be split into the heads of { $a }.
    .noOwner = Two by two they compare, but no input fits all of them. Here are the first two.
    .pairs = { $a } rotates components in pairs; { $b } brings vectors of { $width }.
    .pairsOfOtherForm = { $a } rotates components in pairs; { $b } brings vectors of another form.

title = Mechanisms side by side
question = The same input: what does each make of it?
mechanism = Mechanism
refused = Do not; choose one to see why
add = Add a mechanism
remove = Remove
input = Input of
view = Show
weights = Weights
contributions = weight × ‖value‖
outputs = Outputs
difference = Difference
weight = weight
contribution = weight × ‖value‖
output = output
perRow = Row by row
log = Logarithmic
notComparable = These are not compared
instead = These are:
unknown = The link names mechanisms that are not here; these are shown instead.
exact = Reference: the others are compared with it
ownInput = All of them run on your own matrices.
backToInput = Back to the mechanism’s own
nothing = It has nothing to show here: no such numbers, or not of the shape that the others have.
caution = A large weight is not by itself an explanation: other weights can give the same answer (Jain, Wallace 2019). Whether weights explain depends on what is asked of them (Wiegreffe, Pinter 2019).

# Parts that one of them lacks.
lacks =
    .weights = It has no weights of pairs: only outputs can be compared.
    .values = Its trace has no values of their own.
    .output = It has no output for each query.
    .projections = No Wq, Wk, Wv: it compares the vectors of the input as they are.
    .heads = One head, others have several.

projected = No Wq, Wk, Wv of its own: it gets the queries, keys and values of { $owner }.
spread = entropy { $entropy ->
    [one] { $entropy } nat
   *[other] { $entropy } nats
}, largest weight of a row { $largest } on average
noEntropy = rows do not sum to 1: no entropy; largest weight of a row { $largest } on average
norm = { $what }: ‖difference‖ / ‖reference‖ = { $relative }; largest { $largest }, at { $row }, { $col }
scale = Scores are multiplied by { $scale }, the scale of “{ $owner }”, where a mechanism lets it be chosen; elsewhere as on its own page.
changedScale = Scale of the scores: { $used } here, { $own } on its own page.
slices = Each { $axis }: entropy H · largest weight of a row, on average
slots = Differs from standard attention in: { $names }
