# The parts of a pattern.
partNames =
    .local = local window
    .atrous = atrous (dilated)
    .sparse = sparse: local or atrous
    .causal = causal
    .truncated = truncated
    .strided = Sparse Transformer, strided
    .fixed = Sparse Transformer, fixed
    .longformer = Longformer
    .bigBird = BigBird
    .block = blocks
    .global = global tokens

partNotes =
    .local = Keys at most so many positions away, on each side.
    .atrous = Keys whose distance is a multiple of this number, 0 among them.
    .sparse = Sparse self-attention: keys at most so many positions away, and those at every multiple of it.
    .causal = The query’s own position and those before it.
    .truncated = The query’s own position, so many before it and so many after it.
    .strided = As many positions back as the stride, and every multiple of it farther back; none after the query.
    .fixed = The query’s own stretch of one stride, and the last positions of every stretch; none after the query.
    .longformer = A window, half of it on each side, and the first tokens global: they see all keys, and all queries see them.
    .bigBird = A window of three blocks, the first block global, and blocks drawn at random.
    .block = Keys in the query’s own block.
    .global = These tokens see all keys, and all queries see them.

fieldNames =
    .reach = each side
    .left = before
    .right = after
    .every = every
    .stride = stride
    .last = last
    .window = window
    .global = global
    .block = block of
    .random = random
    .seed = seed
    .from = from token
    .count = how many

joints =
    .or = or
    .and = and

kind = Kind
not = not
joint = Joined by
add = Add a part
paintHelp = Click or drag over the grid to keep pairs or leave them out.
keepAll = keep all
keepNone = keep none
asChosen = as chosen
part = Part { $n }
remove = Take away: { $what }
