learn = Learn
title = Attention in ten steps
lede = About twenty minutes. Each step has one picture that computes as you change it, and one question to answer first.
start = Start
goOn = Go on with step { $step }
number = Step { $step } of { $of }
doThis = Try this
previous = Back
next = Next step
steps = Steps of the course
further = Read on
toQuestion = To the question
learnedTitle = What you know now
goOnTitle = Where to go from here
# The ten steps in short, at the end of the last.
learned =
    .sum = Attention is a weighted sum of values; the weights come from comparing a query with keys.
    .softmax = Softmax makes positive weights that sum to 1; dividing by √d keeps them from becoming one-sided.
    .projections = Learned projections decide what each word asks for, what it is found by, and what it gives.
    .heads = Several heads look for different things; positions and masks say where each may look.
    .cost = Every word is compared with every other: the cost grows with the square of the length.

# Pages for whoever has finished the course, by their addresses.
goingOn =
    .model = See these heads in a trained model
    .text = Try it on a long text of your own
    .compare = Compare mechanisms side by side
    .mechanisms = All mechanisms by family and year
