title = Things become vectors
body = Attention sees rows of numbers only. A one-hot[[独热]] vector has a single 1, at its word’s own place. An embedding[[嵌入]] puts like words near each other: their dot product[[点积]], or score, is large. Pieces of an image, of speech, of a graph become rows too.
doThis = Which pairs of words score high? Answer the question, then switch the words to one-hot. Look at the image, the speech and the graph, too.

one_hot_score =
    .question = As one-hot vectors, how do cat and dog score?
    .choice1 = 0, as any two different words
    .choice2 = More than cat and truck, both are animals
    .choice3 = 1
    .shown = The score is { $alone }, and so is that of cat and truck ({ $truck }). In the embedding cat and dog score { $embedded }.

things = Things
component = component
number = number
score = dot product
tasks = Three kinds of tasks, whatever the rows are:

words =
    .cat = cat
    .dog = dog
    .lion = lion
    .car = car
    .truck = truck

features =
    .animal = animal
    .vehicle = vehicle
    .home = at home
    .large = large

names =
    .oneHot = words, one-hot
    .embedding = words, embedded
    .patches = image
    .frames = speech
    .nodes = graph

row =
    .oneHot = word
    .embedding = word
    .patches = patch
    .frames = frame
    .nodes = node

picture =
    .patches = An image of 6×6 pixels, cut into 4 patches of 3×3
    .frames = A signal of { $samples ->
        [one] { $samples } sample
       *[other] { $samples } samples
    }, cut into frames of { $length }, each { $shift } later
    .nodes = A graph: 5 nodes, each with three features

seen =
    .oneHot = Cat and dog score { $pair }, cat and truck { $other }: one-hot vectors know only whether two words are the same.
    .embedding = Cat and dog score { $pair }, cat and truck { $other }: words alike in meaning lie close.
    .patches = Patches 1 and 2 are alike: { $pair }. Patches 1 and 3 differ: { $other }.
    .frames = Frames 1 and 2 carry the same tone: { $pair }. Frame 4 is mostly silence: { $other }.
    .nodes = Nodes 1 and 2 share { $pair } feature, nodes 1 and 4 { $other }.

kinds =
    .each = a label for each row (sequence labeling)
    .one = one label for all of them
    .sequence = a new sequence (sequence to sequence)
