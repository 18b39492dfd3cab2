question = What makes two equal words different?
doThis = Switch positions off and compare the two words “saw”: first one, then the other.
live = The first “saw” gives “I” { $first }; the second gives “a” { $second }. Each finds the word before it by its row of the table.
contrast = A table of positions is learned and has as many rows as it has. Sinusoids need no learning and have no end.
history = Fixed sinusoids may not suit the task, so the table is learned (2017; BERT and GPT-2 did so). It refuses longer texts; relative and rotary positions do not.

outputs_of_saw =
    .question = In “I saw a saw” positions are off. Are the two outputs for saw different?
    .choice1 = Yes, they have different neighbors
    .choice2 = No, exactly equal
    .shown = Without positions they differ by { $without }: the same word asks the same of the same words. With positions by { $withThem }.
