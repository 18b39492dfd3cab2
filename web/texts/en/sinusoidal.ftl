question = How can a fixed matrix ask for the word before, anywhere?
doThis = Stop turning W_q: every token then finds itself. Look at the curve: the dot product of two positions depends on their distance alone.
live = Token 4 gives the one before it { $weight }. One step is one rotation, the same everywhere.
contrast = Sinusoids exist for every position. A learned table ends at its last row.
history = Self-attention does not see the order of words. Sinusoids (2017) write it into the vectors; today rotary embedding turns queries and keys instead.

textbook1 =
    .writes = Figures with a position in each column
    .means = Here a row is a position and a column an axis: the figure transposed.

textbook2 =
    .writes = PE between words as in e^i + a^i
    .means = x + E: the position is added to the word, not put beside it.
