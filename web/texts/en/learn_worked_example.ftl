title = The worked example, cell by cell
body = Three tokens have become three queries, keys and values. Query 1 times each key gives the scores 2, 4, 4. Softmax turns them into weights, and the output is the sum of the values, each times its weight. Every other number here is computed the same way.
doThis = Choose a cell of the scores S: what it is made from is outlined, and its arithmetic is written above. Answer the question, then choose cells of the weights A and of the output O.

scores_2_4_4 =
    .question = The scores are 2, 4 and 4. Which weight is the largest?
    .choice1 = The second
    .choice2 = The third
    .choice3 = The second and the third are equal
    .shown = The weights are { $weights }: equal scores get equal weights.

further =
    .self_attention = The example with its own numbers to change

token = token
component = component
query = query
key = key
choose = Choose a cell of S, A or O.

quantities =
    .query = query
    .key = key
    .value = value
    .scores = score
    .weights = weight
    .output = output
