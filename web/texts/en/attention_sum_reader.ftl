question = The same word occurs several times: how sure is the answer?
doThis = Choose the second “queen”, put “dog” there and read the sums again.
live = Each word that answers “who” has { $one }. “queen” adds up to { $sum }.
contrast = Here the question is one vector. Attention over attention lets each word of the question look, and weighs those words too.
history = Readers that blend the weighted words into one vector can no longer name one of them. This reader (2016) sums weights instead. Extractive Transformers, which point at the start and end of a span, replaced it.

one_queen_less =
    .question = The second “queen” becomes “dog”, an animal, which may answer “who” as well. How likely is “queen” now?
    .choice1 = About a third
    .choice2 = About a half
    .choice3 = Nearly two thirds, as before
    .shown = { $queen } in place of { $before }: the sum has one weight less. “king” and “dog” have as much.
