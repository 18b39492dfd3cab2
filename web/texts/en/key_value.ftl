question = Why must what is found differ from what is compared?
doThis = Ask for “pear” and read its price. Then tie V = K and ask again.
live = The outputs for the three fruits are { $outputs }.
contrast = In plain dot-product attention the word is both key and value. Here the key says when a slot is read, the value says what is read.
history = One vector had to serve for finding and for telling. Key-value memory networks (2016) split the two; the Transformer made keys and values by two projections of each token.

tied_values =
    .question = V is tied to K. What does the query “pear” return?
    .choice1 = Its price, 5
    .choice2 = The vector of “pear” itself
    .choice3 = The mean of all fruits
    .shown = The output is ({ $output }): the key you asked with.

textbook1 =
    .writes = H = V softmax(KᵀQ)
    .means = There a column is a token; here a row is. It is the transpose of softmax(QKᵀ)V.
