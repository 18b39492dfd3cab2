question = How is something in a memory replaced, when a sum can only add?
doThis = Read the second token: the state moves only by what its key did not read yet. Then answer the question below and try it: set β to 0.5.
live = The first token moves the state by { $first }, the next by { $second }: only by what its key did not read yet.
contrast = Linear attention writes without looking. The delta rule reads the key first and writes only the difference: a third product a token, and no division is needed.
history = Sums fill up: with more keys than axes everything read is a mixture. Schlag (2021) wrote to the state by the delta rule of Widrow and Hoff (1960). Gated DeltaNet (2024) adds forgetting and replaced it in hybrid models.

half_of_the_way =
    .question = 3 and then 7 are stored under one key with β = 0.5: each token corrects half of what is missing. What does the key read?
    .choice1 = 5, the mean of both
    .choice2 = 4.25, less than the mean
    .choice3 = 7, the last one
    .shown = It reads { $half }: 1.5 after the first token, and half of the 5.5 that are missing then. With β = 1 it reads { $delta }; states that only add up read { $adding }.
