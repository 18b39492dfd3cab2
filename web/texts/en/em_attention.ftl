question = Which few colors describe a whole picture?
doThis = Go back to iteration 1 and step on: two grays walk to the reds and the blues. Then set λ to 0 and step on again.
live = Six pixels are described by two bases, in red, green and blue: { $red } and { $blue }.
contrast = Linformer’s mixtures are learned once and stay for all texts. The bases here are fitted to each picture, in a few steps of EM, so their number does not depend on its size.
history = Comparing all pairs of pixels is too much for segmentation. Li (2019) let pixels attend to a few bases that EM fits within the call. Slot attention and Mask2Former’s learned queries took up the idea.

lambda_zero =
    .question = With λ = 0 every pixel gives all bases the same weight. Where do the two bases go?
    .choice1 = They stay where they began
    .choice2 = Both to the mean of all pixels
    .choice3 = One to the reds, one to the blues
    .shown = { $first } and { $second }: without a choice, both are the mean.
