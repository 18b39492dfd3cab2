question = Can a pronoun find what it stands for in its own sentence?
doThis = Choose layer 2: the words near “chased” and “hungry” now decide, and “it” looks at “cat”. Then change “hungry” into “afraid”.
live = “it” gives “cat” { $onCat } and what is chased { $onPrey }. Layer 1 knows the features of each word alone; layer 2 also knows who chases and what is said of “it”.
contrast = One set of weights can answer one question about each word. Multi-head attention asks several at once.
history = A recurrent network passes word 1 on through every later word. Self-attention (2017) reaches every word in one step; sparse and linear attention make it cheaper for long texts.

swap_two_words =
    .question = Positions are off. Two words of the sentence are swapped. What happens to the outputs?
    .choice1 = All of them change
    .choice2 = The same vectors, moved with their words
    .choice3 = Only those of the two words change
    .shown = Moved with their words, the outputs differ by { $apart }: only rounding. Without positions the order is not seen.

twice_the_words =
    .question = A text has twice as many words. How many scores are computed?
    .choice1 = Twice as many
    .choice2 = Four times as many
    .choice3 = Eight times as many
    .shown = 8 words: { $few } weights. 16 words: { $many }. Every word looks at every word, so the number grows with the square.

textbook1 =
    .writes = Tokens as columns: V softmax(KᵀQ/√D)
    .means = The same computation, transposed; here rows are tokens. The notation switch turns the page.

textbook2 =
    .writes = V = W_b X
    .means = A misprint for W_v: the values are X W_v.

textbook3 =
    .writes = α_ij = q^i k^i
    .means = q^i k^j: the query of word i with the key of word j.

textbook4 =
    .writes = α and α′ both printed α
    .means = α is the score, α′ the weight after softmax.

textbook5 =
    .writes = Weights given as 0, ½, ½
    .means = The first row of the worked example, rounded: in full it is 0.0634, 0.4683, 0.4683.

textbook6 =
    .writes = A worked example without scale beside code that divides by √d
    .means = With 1/√3 its first row is 0.1361, 0.4319, 0.4319.

textbook7 =
    .writes = Several queries called multi-head
    .means = A head has its own W_q, W_k and W_v, and W_o joins the heads. More queries alone are not more heads.

textbook8 =
    .writes = Click attention, click model
    .means = Misprints in Chinese books for dot-product attention and the dot-product model.
