question = How can a pixel see the whole picture in two passes?
doThis = Choose a pixel and step through: first its row, then its column. Then look along the rows twice: the other rows stay out of sight.
live = The first pass gives each pixel of the row { $first }, the second each of the column { $second }. After both, the corner far away has a share of { $both }.
contrast = A column of a picture is a stride through its rows laid end to end. Axial attention makes two calls, atrous attention one.
history = A picture of 64 by 64 has 4096 pixels, nearly 17 million pairs. Axial attention (2019) goes along each axis in turn; vision models later preferred patches and windows, video models still split space and time.

axial_pairs =
    .question = A picture of 32 × 32. Along rows, then along columns: how much of all pairs is computed?
    .choice1 = a half
    .choice2 = a sixteenth
    .choice3 = a thousandth
    .shown = { $kept } of { $all } pairs: each of 1024 pixels meets 32 in its row and 32 in its column, 1/{ $share } of all.
