question = Question
film = Birthplace of the director of
tables = Embedding tables
apart = one for each hop
shared = one shared by all
values = Values
own = of their own
tied = tied: V = K
passes = passes over the story
story = memory
kept = in the memory
keys = key → value
sentences = sentences of the story
asks = query
memory = memory before it
reads = it reads
answer = answer
nothing = nothing
weight = weight
gate = gate
place = Step
back = One less
on = One more
next = Next
again = From the start
word = word
query = word that asks
memoryKey = word in the memory
window = Window L
states = state of each word: key k, value v, prediction p; filled is 1
bringsBack = value brought back
saysNext = predicted next
changeKey = its key
changePredict = its prediction
person = person
thing = thing
verb = verb
noun = noun
end = end
seen = seen
three = three words
one = one word
parts = parts of the states; those that are read now are outlined
output = h*: how strongly each word is still there
strength = in h*
hop = hop { $n }
pass = pass { $n }
sum = All bars are drawn from 0 to 1; the weights of a hop sum to { $sum }.
gates = All bars are drawn from 0 to 1. Gates are no distribution: here they sum to { $sum }.
moved = Against the start, weights moved by { $weights } at most, the output h* by { $output }.
windowOf = L = { $n }
words = { $n ->
    [one] { $n } word
   *[other] { $n } words
} back
wordOf = word { $n } of { $all }
later = { $n ->
    [0] read at once
   *[other] read { $n } later
}
