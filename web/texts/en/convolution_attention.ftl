question = Can attention do exactly what a convolution does?
doThis = Lower α and watch the nine heads and their sum. Raise it again; press pixels of the image to change them.
live = At the edge, row 2 and column 2, nine heads give { $attended }, the convolution { $convolved }.
contrast = There weights follow content. Here the score knows positions alone: each head looks at one, whatever is there.
history = Were attention and convolution rivals, or relatives? A proof (2020) showed convolution as a special case. It replaced nothing; it explained why attention needs more data, and hybrids of both (Conformer) followed.

alpha_zero =
    .question = α = 0: where do the nine heads look?
    .choice1 = at their own position
    .choice2 = everywhere alike
    .choice3 = nowhere
    .shown = Each of { $positions } positions gets { $most }. All heads read the same mean, and the kernel’s numbers, which sum to 0, give { $output }.

textbook1 =
    .writes = people set the receptive field of a convolution
    .means = Nine heads at nine positions make the 3×3 field here. A learned attention chooses its field itself.
