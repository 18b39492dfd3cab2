title = Your own text
explain = The mechanism reads your words in place of its own. Their vectors and the weights are set by hand as for the sample’s words: each distinct word has an axis of its own where words have axes, and a translator without a dictionary for a word writes the word itself. Every number can be edited below.
back = Back to the sample’s words
empty = Without words, the sample’s are shown.
cut = This text has { $total ->
    [one] { $total } token
   *[other] { $total } tokens
}. The first { $read } are read, as many as every screen can draw.
unlisted = Not in the small built-in word list: { $words }. They have no features: the weights know them by identity and position only.
refused = This text cannot be computed, so the sample’s words are shown: { $reason }
regroup = Choose a token to merge it with the next or to split it.
