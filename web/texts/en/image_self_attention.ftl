question = What does a patch of an image look at: what resembles it, or what is near?
doThis = Choose the dark side of the roof: it finds the red side, though brighter. Switch to raw colors and look again. Then let position count, step by step.
live = The dark red patch gives itself { $self }, the lit red patch beside it { $lit }, a patch of the cloud { $cloud }.
contrast = A convolution looks at fixed positions around it, whatever is there. Attention compares contents over the whole image.
history = A convolution needs many layers until two far corners meet. Non-local blocks (2018) joined all positions in one layer; Vision Transformers (2021) built whole networks of it, today often beside windows and convolutions.

raw_colors =
    .question = Scores are dot products of raw colors. Which scores highest with dark red (1, 0, 0)?
    .choice1 = dark red itself
    .choice2 = red (2, 0, 0)
    .choice3 = white (3, 3, 3)
    .shown = A patch of dark red, red and white gets { $weights }. The dot products 1, 2, 3 follow brightness, not hue: hence colors are centered and normalized.

textbook1 =
    .writes = an image 5×10×3 is 50 vectors of width 3
    .means = Here 8×10 patches, row by row. In practice a patch is 16×16 pixels, else the pairs are too many.
