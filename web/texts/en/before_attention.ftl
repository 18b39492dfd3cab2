title = Attention beside what came before it
word = word
model = model
change = change of the output
attention = attention
picture = One word changes from 0 to 1. Each cell is how much the output at that word changes.

sliders-words =
    .label = words

sliders-frames =
    .label = frames

sliders-kept =
    .label = weight of the last state

sliders-context =
    .label = frames on each side

sliders-layers =
    .label = layers

sliders-kernel =
    .label = width of the kernel

facts =
    .path = steps from the changed word to the farthest one
    .inTurn = steps that must wait for one another
    .pairs = scores to compute
    .frames = frames that an output sees
    .weights = numbers to learn (40 numbers a frame, 64 units)
    .field = words in the receptive field

# Beside the rows of the picture, so they are short.
row =
    .attention = attention
    .recurrent = recurrent
    .window = window
    .layer = layer { $n }

recurrent =
    .title = Beside a recurrent network
    .question = What is left of the first word at the last one?
    .other = recurrent network
    .body = A recurrent network hands its state from word to word. Each step multiplies what is left of word 1 again, and must wait for the step before. Attention reads word 1 directly from every position, all at once, and pays with a score for each pair of words.

fullyConnected =
    .title = Beside a fully connected window
    .question = Can a window of 11 frames replace attention?
    .other = fully connected window
    .body = Five frames on each side make a window of 11. What stands outside it cannot change the output at all. A wider window sees more, and needs more numbers to learn, up to the longest sequence there is. Attention learns three matrices, whatever the length.

convolution =
    .title = Beside a convolution
    .question = How many layers until all words have met?
    .other = convolution
    .body = A kernel of width 3 sees one neighbor on each side, so every layer widens the receptive field by two. Far words meet only after many layers, and faintly. Attention has the whole sequence in its field in one layer, and the input decides where it looks.
