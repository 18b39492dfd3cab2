axes =
    .batch = batch
    .head = head
    .query = query
    .key = key
    .token = token
    .feature = component
    .valueFeature = value component
    .step = step
    .word = word
    .layer = layer
    .row = row
    .column = column
    .edge = edge
    .round = round
    .hop = hop
    .sentence = sentence
    .memory = memory slot
    .candidate = candidate
    .class = class
    .base = base
    .kind = kind

value = value
entry = entry
axis = axis { $n }

# Where numbers are from.
provenances =
    .none = no learned parameters
    .designed = set by hand
    .trained = trained on a toy task
    .random = random
    .yours = yours
