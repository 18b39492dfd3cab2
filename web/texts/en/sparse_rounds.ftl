rounds = Rounds
fewer = One round less
more = One round more
tokens = Tokens
redraw = Draw again
query = query
key = key
weight = weight
circles = Buckets of each round; lit: those who share one with the chosen token
help = Choose a token with the left and right keys.
ofRounds = of { $n }
roundN = round { $n }
kept = { $kept } of { $all ->
    [one] { $all } pair of two tokens
   *[other] { $all } pairs of two tokens
} share a bucket in some round.
missed = { $missed ->
    [0] No token misses its closest one after { $rounds } { $rounds ->
        [one] round
       *[other] rounds
    }.
   *[other] Marked: { $missed } { $missed ->
        [one] token misses
       *[other] tokens miss
    } the closest one, in all rounds.
}
seed = Random by definition, seed { $seed }.
shared = { $name }, round { $round }: { $others }
alone = alone
