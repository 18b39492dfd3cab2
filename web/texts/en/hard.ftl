question = Why mix values at all, and not take the best one?
doThis = Drag the score of token 3 past that of token 2: the output jumps. With softmax it glides.
live = The third query’s weights are { $weights }; its output { $output } is one value, unmixed.
contrast = Softmax leaves every key a share, so a small change of a score changes the output a little, and gradients can flow.
history = Soft attention reads every position; hard attention reads one, which is cheap, but argmax has no gradient. It needs sampling and policy gradients; sparse normalizers offer a way between.

nearly_best =
    .question = Scores 4, 12, 10: the third rises to 11.9. Does the output change?
    .choice1 = Yes
    .choice2 = No
    .shown = It stays { $weights }: second place counts for nothing.
