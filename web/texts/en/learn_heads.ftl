title = Heads and the output projection
body = One softmax gives one mixture; a word often needs several answers. Each head[[头]] has its own W_q, W_k, W_v and looks for something of its own. The heads’ outputs stand side by side, and W_o has a block of rows for each: the output is the sum of what the heads add.
doThis = Read which words each head brings to the query “it”. Then answer the question, switch a head off and read the sum again.

head_off =
    .question = One head is switched off. What changes in the output?
    .choice1 = Its share goes; the rest stays
    .choice2 = The other heads make up for it
    .choice3 = Nothing
    .shown = Without the pronoun head the output of “it” has { $after } of cat in place of { $before }; the weights of the other heads are { $moved ->
        [true] others
       *[other] exactly the same
    }. Heads do not see each other: only the sum joins them.

further =
    .multi_head = Multi-head attention

switches = Heads
query = Query
head = head
word = word
adds = amount added
output = output: sum
maps = Weights of the heads, scale 0 to 1
off = off
looks = Head “{ $head }”: “{ $query }” looks at { $words }.
isOff = { " " }It is off: the block of W_o for “{ $head }” is 0, so it adds nothing.
everywhere = all words alike
sum = { $heads ->
    [0] All heads are off: the output is zero.
    [one] The one head that is on adds one row.
   *[other] Each of the { $heads } heads adds one row.
}
note = Heads and W_o set by hand; a value is the word itself. Trained heads are rarely as tidy.

names =
    .previous = previous word
    .same = same word
    .pronoun = pronoun
    .first = first word
