title = A long text
question = Where does each word of a long text look, and what does the whole look like from afar?
text = Your text
label = Your text, English or Chinese
presets = Try
nothing = There is nothing to attend to yet. Type a few words, or take one of the sentences.
sentenceHint = Choose a token to read where it looks.
looksAt = { $query } looks at
open = Open a text file
rhyme = Back to the rhyme
splitting = Split by
byWord = word
byCharacter = character
empty = Type or paste some words.
notText = This file is not a text. The text shown before is still there.
cut = The first 2,000 words are used. The rest stays in the field.
local = The text stays in this browser: it is not sent anywhere.
head = Head
seen = It sees
cell = A tile shows
mean = its mean
max = its largest
meanWeight = mean weight
maxWeight = largest weight
weight = weight
query = query
key = key
nearer = Zoom in
farther = Zoom out
whole = Whole text
stop = Stop
again = Compute the picture
stopped = The picture was stopped.
back = one word back
on = one word on
passage = Words around the chosen one
passageHelp = Choose with the arrow keys; M merges the word with the next one, S splits it.
word = Word
merge = Merge with the next
split = Split it
vectors = Weights set by hand[[手工设定]]: a word’s vector has a number of two digits, each one-hot, the features of a small word list, its sinusoidal position and 1. All weights of all pairs are never held at once: a few rows at a time are computed, where one looks.
small = Self-attention with a few words

headNames =
    .same = same word
    .previous = previous
    .next = next
    .first = first
    .nearby = nearby
    .pronoun = pronoun → animate noun

seenNames =
    .all = all
    .before = those before it
    .window = window ±16
    .strided = strided
    .longformer = Longformer
    .bigBird = BigBird

words = { $words ->
    [one] { $words } word
   *[other] { $words } words
}; { $pairs } of { $all ->
    [one] { $all } pair
   *[other] { $all } pairs
} attend.
progress = { $share } of the picture is computed.
tile = { $tile ->
    [one] A cell is one pair of words.
   *[other] A tile has { $tile } × { $tile } pairs of words.
}
wordAt = { $n } “{ $word }”
looks = Word { $from } gives most to word { $to }: { $weight }.
