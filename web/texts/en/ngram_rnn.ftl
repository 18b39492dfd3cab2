question = How far does a memory get without any attention?
doThis = Step through the words: each state is read in three parts, at once, one word later and two words later. Then let it see one word only.
live = At “on”: on { $on }, sat { $sat }, cat { $cat }, the { $the }.
contrast = Attention would look for the word that fits, wherever it stands in the window. This reads every position of the window with fixed numbers.
history = It was a test of attention: models attended to about five words, so a fixed window of as many (2017) should do as well, and nearly did. Longer texts need attention, which is why this net stayed a baseline.

fourth_word =
    .question = At “on”, how much is left of “the”, three words back?
    .choice1 = Nothing
    .choice2 = Half as much as of “cat”
    .choice3 = As much as of “cat”
    .shown = “the” { $the }, “cat” { $cat }. There are three parts, so there is no fourth word.
