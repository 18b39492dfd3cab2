query = query
key = key
weight = weight
picture = attention weights
role = heatmap
help = Arrow keys move the selected cell.
caption = { $quantity }: { $axes }
loading = Loading the attention core…
noCore = The attention core cannot run here: it needs WebAssembly with SIMD, and a policy that allows it.
refused = The core refused this input: { $why }
noTokens = No tokens: write a sentence into the attribute “tokens”.
badTokens = The attribute “tokens” begins like a list but is not one: write ["a", "b"], or a plain sentence.
tooLong = The text is longer than { $limit ->
    [one] { $limit } character
   *[other] { $limit } characters
}; a shorter one is drawn.
cut = The first { $shown } of { $total ->
    [one] { $total } token
   *[other] { $total } tokens
}.
unknown = There is no mechanism “{ $name }”. This picture knows: { $known }.
onThePage = { $title } needs more than a sentence. It has a page of its own:
unknownHead = There is no head “{ $name }”. Heads: { $known }.
provenance = Weights of the head “{ $head }”, set by hand; vectors you can read. Computed here by fovea { $version }.
open = Number by number on the full page

# The word that each head looks for.
heads =
    .same = the same word
    .previous = the token before
    .next = the token after
    .first = the first token
    .nearby = nearby tokens
    .pronoun = what a pronoun may stand for

# How a mechanism with a number in it is set here.
notes =
    .local = Two tokens on either side.
    .atrous = Every second token.
    .sparse_transformer = Stride 3: the three before, and every third.
    .longformer = One token on either side; the first sees and is seen by all.
    .bigbird = One token on either side, the first for all, and one drawn at random (seed 0).
    .alibi = Slope 0.5 for each token of distance.
    .top_k = The two largest scores of each row.
