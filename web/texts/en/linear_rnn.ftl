question = Can attention read word by word, as a recurrent network does?
doThis = Go back to the first token and step on: the second apple lands on the row of the first. Then let each token read all tokens: the future leaks in.
live = After each token its query reads { $output }: the first price, another key’s, and the mean of both apples.
contrast = These sums only ever add: a key that comes again reads the mean of its values. The delta rule first takes away what the key read, so the new value replaces the old.
history = A Transformer that writes looks back at all keys and values, so every word costs more than the last. Katharopoulos (2020) kept two sums instead. Retention (RetNet), gates and state space models made such states forget.

state_after_many =
    .question = How much larger is the state after 1000 tokens than after 10?
    .choice1 = Just as large
    .choice2 = 100 times
    .choice3 = 10000 times
    .shown = { $few } numbers after 10 tokens, { $many } after 1000. Keys and values would be { $fewKept } and { $manyKept } numbers.
