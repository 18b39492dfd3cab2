# Where the Chinese word of a term is from.
sources =
    .textbooks = the sources’ own term
    .d2l = Dive into Deep Learning, Chinese edition
    .algebra = the usual term of linear algebra
    .machineLearning = the usual term of machine learning
    .statistics = the usual term of statistics
    .speech = the usual term of speech processing
    .kept = kept as it is written in formulas
    .page = this page
    .paper = { $paper }

attention_mechanism =
    .term = attention (mechanism)
    .meaning = A weighted sum of values, whose weights say how well each key fits the query.

local_m_local_p =
    .term = local-m / local-p
    .meaning = Luong’s two local attentions: the window stands at the decoder’s own step (local-m), or where the network predicts (local-p).

self_attention =
    .term = self-attention
    .meaning = Attention whose queries, keys and values all come from one sequence, so that each token looks at the others.

structured_self_attentive =
    .term = structured self-attentive
    .meaning = A sentence becomes a matrix: several attention distributions over its words, each a row.

cross_attention =
    .term = cross-attention
    .meaning = Attention whose queries come from one sequence, and keys and values from another: a decoder reads its source.

hop_multi_hop =
    .term = hop (multi-hop)
    .meaning = One reading of the memory; the next reading asks with what this one found.

multi_head_head =
    .term = multi-head / head
    .meaning = Several attentions side by side, each with projections of its own; their outputs are joined.

hierarchical =
    .term = hierarchical
    .meaning = Attention on two levels: over the words of each sentence, then over the sentences.

query_key_value =
    .term = query, key, value
    .meaning = The query asks, each key says what its token offers, and the value is what is read from it.

sparse =
    .term = sparse
    .meaning = Only some pairs of query and key are computed.

key_value_pair =
    .term = key-value pair
    .meaning = One entry that attention can read: the key is compared with the query, the value is returned.

atrous_dilated =
    .term = atrous (dilated)
    .meaning = A query sees only every k-th key, so that few pairs reach far.

attention_score =
    .term = attention score
    .meaning = A number for a pair of query and key, before softmax makes a weight of it.

truncated =
    .term = truncated
    .meaning = Keys outside a window around the query have weight 0.

scoring_function =
    .term = scoring function
    .meaning = How a query and a key become one number: dot product, bilinear form, a small network.

window_stride =
    .term = window / stride
    .meaning = The window is how far a query sees; the stride is the distance from one seen key to the next.

attention_weight =
    .term = attention weight
    .meaning = The share of a value in the output; the weights of a query are at least 0 and sum to 1.

axial =
    .term = axial
    .meaning = In an image each pixel attends along its row, then along its column.

attention_distribution =
    .term = attention distribution
    .meaning = All weights of one query: a probability for each key.

linear_attention =
    .term = linear attention
    .meaning = Attention with φ(q)·φ(k) in place of exp: the keys are summed up once, so that the work grows with n and not with n².

weighted_sum =
    .term = weighted sum
    .meaning = Each vector times its weight, all added up.

feature_map_of_a_kernel =
    .term = feature map (of a kernel)
    .meaning = The function φ with which a similarity becomes the dot product φ(q)·φ(k).

scaled_dot_product =
    .term = (scaled) dot product
    .meaning = Components multiplied pairwise and added; scaled: divided by √d, so that scores stay moderate in many dimensions.

random_features =
    .term = random features
    .meaning = Random projections whose dot products approximate softmax’s exponential; more of them, less error.

additive =
    .term = additive
    .meaning = The score of a small network: v·tanh(W q + U k).

low_rank =
    .term = low-rank
    .meaning = A large matrix written as a product of two narrow ones.

bilinear_general =
    .term = bilinear (general)
    .meaning = The score qᵀ W k: a learned matrix says which parts of query and key belong together.

locality_sensitive_hashing =
    .term = locality-sensitive hashing
    .meaning = A random function that puts similar vectors into the same bucket with high probability.

concatenation =
    .term = concatenation
    .meaning = Vectors written one after the other as one longer vector.

memory_network =
    .term = memory network
    .meaning = A network that answers from a list of stored sentences, reading them by attention, often in several hops.

softmax =
    .term = softmax
    .meaning = Makes weights of scores: the exponential of each, divided by the sum of all.

episodic_memory =
    .term = episodic memory
    .meaning = A summary of the facts for this question, made anew in each pass over them.

normalization =
    .term = normalization
    .meaning = Numbers divided so that they sum to 1, or brought to mean 0 and variance 1.

graph_attention =
    .term = graph attention
    .meaning = Attention in which each node sees only its neighbors in a graph.

temperature =
    .term = temperature
    .meaning = The number that scores are divided by before softmax: above 1 the weights become more even, below 1 sharper.

node_edge =
    .term = node, edge
    .meaning = A graph’s points, and the links between two of them.

mask_causal_mask =
    .term = mask / causal mask
    .meaning = Says which keys a query may not see; the causal mask hides all later tokens.

reinforced_policy_gradient =
    .term = reinforced / policy gradient
    .meaning = Learning a choice that has no derivative: choices that led to reward are made more likely.

padding =
    .term = padding
    .meaning = Filler that makes sequences of a batch equally long; attention must not read it.

sampling_seed =
    .term = sampling / seed
    .meaning = Choosing at random by given probabilities; the same seed gives the same choices again.

positional_encoding =
    .term = positional encoding
    .meaning = Numbers added to a token’s vector, or rotations of it, that tell where the token stands.

multi_source =
    .term = multi-source
    .meaning = A decoder that attends to several source sentences at once.

relative_position =
    .term = relative position
    .meaning = The distance from one token to another, in place of where each stands.

attention_over_attention =
    .term = attention-over-attention
    .meaning = Attention over the question’s words decides how much each of their attentions over the document counts.

rotary_embedding =
    .term = rotary embedding
    .meaning = Queries and keys are rotated by angles that grow with the position, so that a score depends on the distance.

multi_dimensional_directional =
    .term = multi-dimensional / directional
    .meaning = Multi-dimensional: every feature has attention weights of its own. Directional: a token sees only those before it, or only those after.

token =
    .term = token
    .meaning = The piece of text that a model reads as one: a word, a part of one, a character.

fusion_gate_gating =
    .term = fusion gate / gating
    .meaning = Numbers from 0 to 1 that mix two vectors, feature by feature.

embedding_word_embedding =
    .term = embedding / word embedding
    .meaning = The vector that stands for a token, read from a learned table.

pointer_network =
    .term = pointer network
    .meaning = Its answer is a position in the input: the attention weights themselves are the output.

one_hot =
    .term = one-hot
    .meaning = A vector with a single 1 and zeros elsewhere: one axis for each word.

copy_mechanism =
    .term = copy mechanism
    .meaning = The decoder can write a word of the source as it stands, even one that it has never seen.

sequence_labeling =
    .term = sequence labeling
    .meaning = A label for each token, such as its part of speech.

pointer_generator =
    .term = pointer-generator
    .meaning = A summarizer that for each word decides how far to generate it from its vocabulary and how far to copy it from the source.

sequence_to_sequence =
    .term = sequence to sequence
    .meaning = A network that turns one sequence into another, such as a sentence into its translation.

coverage =
    .term = coverage
    .meaning = The sum of all attention weights so far, which tells the decoder what it has read already.

encoder_decoder =
    .term = encoder, decoder
    .meaning = The encoder reads the input and makes vectors of it; the decoder writes the output from them, token by token.

out_of_vocabulary_word =
    .term = out-of-vocabulary word
    .meaning = A word that the model’s vocabulary does not have.

hidden_state =
    .term = hidden state
    .meaning = The vector in which a recurrent network keeps what it has read so far.

convolution_receptive_field =
    .term = convolution / receptive field
    .meaning = The same small weights slid along the input; the receptive field is all of the input that one output depends on.

context_vector =
    .term = context vector
    .meaning = What attention returns: the weighted sum of the source’s states.

patch_frame =
    .term = patch / frame
    .meaning = A small square of an image; a short piece of sound.

alignment =
    .term = alignment
    .meaning = Which words of the source belong to a word of the translation.

log_mel_spectrogram =
    .term = log-mel spectrogram
    .meaning = How loud each pitch band of a sound is over time, on a logarithmic scale and with bands as the ear parts them.

soft_hard_attention =
    .term = soft / hard attention
    .meaning = Soft attention mixes all values by their weights; hard attention takes one of them.

recurrent_network =
    .term = recurrent network
    .meaning = A network that reads token by token and carries a state from each step to the next.

focused_saliency =
    .term = focused / saliency
    .meaning = Focused attention looks for what a question asks; saliency is drawn by what stands out, without a question.

feed_forward =
    .term = feed-forward
    .meaning = The layers that treat each token by itself, after attention has mixed them.

global_local =
    .term = global / local
    .meaning = Global attention sees all of the source, local attention a window of it.

residual_connection =
    .term = residual connection
    .meaning = A layer’s input is added to its output, so that the layer learns only the change.

shape_width =
    .term = shape / width
    .meaning = The shape is how long an array is along each axis; the width is how many components a vector has.

layer_normalization =
    .term = layer normalization
    .meaning = The components of each vector are brought to mean 0 and variance 1, then scaled and shifted by learned numbers.

complexity =
    .term = complexity
    .meaning = How the work grows with the length: n² for all pairs, n for linear attention.

row_column =
    .term = row / column
    .meaning = A row runs across, a column down. In Taiwan the two Chinese words are exchanged.

permutation_equivariance =
    .term = permutation equivariance
    .meaning = Tokens in another order give the same outputs in that order: without positions attention does not know the order.

kv_cache =
    .term = KV cache
    .meaning = Keys and values of past tokens, kept so that the next token need not compute them again.

trace =
    .term = trace
    .meaning = Every named intermediate of a computation, in order.

set_by_hand_trained_random =
    .term = set by hand / trained / random
    .meaning = Where the weights of a picture come from.

dense_sparse_mask =
    .term = dense / sparse mask
    .meaning = A dense mask allows most pairs, a sparse one few.

density =
    .term = density
    .meaning = The share of all pairs that are computed.

linear_attention_state =
    .term = linear attention state
    .meaning = The sum of φ(k) vᵀ over the tokens read: all that linear attention keeps of the past.

checkpoint_of_training =
    .term = checkpoint (of training)
    .meaning = The weights as they were after so many steps of training.

sliding_window =
    .term = sliding window
    .meaning = Each query sees the keys within a fixed distance; the window moves along with it.

quantized_int8 =
    .term = quantized (int8)
    .meaning = Weights kept as 8-bit integers and one scale for each row: a quarter of the memory, a small error.

logits =
    .term = logits
    .meaning = Scores as they go into softmax.

bias =
    .term = bias
    .meaning = A number that is added whatever the input is.

rank =
    .term = rank
    .meaning = How many independent rows a matrix has: how much it can tell apart.

entropy =
    .term = entropy
    .meaning = How spread out a distribution is: 0 where one weight is 1, largest where all are equal.

grouped_query_attention =
    .term = grouped-query attention
    .meaning = Several query heads share one head of keys and values, so that the cache is smaller.

attention_sink =
    .term = attention sink
    .meaning = A token, mostly the first, that takes the weight of queries that find nothing to read.

top_k =
    .term = top-k
    .meaning = Only the k largest scores of a query get a weight.

sparsemax =
    .term = sparsemax
    .meaning = Like softmax, but low scores get a weight of exactly 0.

entmax =
    .term = entmax
    .meaning = Between softmax and sparsemax: smooth, and yet exactly 0 for low scores.

argmax =
    .term = argmax
    .meaning = The position of the largest number.

episode =
    .term = episode
    .meaning = What one pass over the facts has found for the question.

selective_read =
    .term = selective read
    .meaning = CopyNet’s look at the position of the source from which it has just copied, so that it goes on there.

identity_matrix =
    .term = identity matrix
    .meaning = Ones on the diagonal, zeros elsewhere: it leaves every vector as it is.

batch =
    .term = batch
    .meaning = Several sequences that are computed in one call.

component =
    .term = component
    .meaning = One of the numbers of a vector.

memory_slot =
    .term = memory slot
    .meaning = One stored entry of a memory: a sentence, or a key and its value.

candidate =
    .term = candidate
    .meaning = One of the answers that can be chosen.

class =
    .term = class
    .meaning = One of the kinds that a classifier tells apart.

base =
    .term = base
    .meaning = In EM attention, one of the few vectors that stand for all pixels, found by iteration.

timbre =
    .term = timbre
    .meaning = What tells two sounds of one pitch and loudness apart.

round =
    .term = round
    .meaning = One hashing with fresh random directions; more rounds miss fewer pairs.

numerator_denominator =
    .term = numerator, denominator
    .meaning = What is above and what is below the line of a fraction.

similarity =
    .term = similarity
    .meaning = A number that is large where two vectors are alike.

vocabulary =
    .term = vocabulary
    .meaning = All tokens that a model knows.

tokenizer =
    .term = tokenizer
    .meaning = What cuts a text into tokens.

cosine =
    .term = cosine
    .meaning = The dot product of two vectors divided by their lengths: 1 for the same direction, 0 for a right angle.

beam_search =
    .term = beam search
    .meaning = Writing with several unfinished sentences side by side, of which the likeliest are kept at each step.

first_position =
    .term = first position
    .meaning = The number that the first token is given.

nat_unit_of_entropy =
    .term = nat (unit of entropy)
    .meaning = Entropy by the natural logarithm: ln 2 nats are one bit.

concentration =
    .term = concentration
    .meaning = The largest weight of a row: 1 where all goes to one key.

contribution =
    .term = contribution
    .meaning = A key’s weight times the length of its value: what it adds to the output.

normalizer =
    .term = normalizer
    .meaning = What makes weights of a row of scores: softmax, sparsemax, sigmoid and others.

gate =
    .term = gate
    .meaning = A number from 0 to 1 that says how much passes.

update_gate_reset_gate =
    .term = update gate / reset gate
    .meaning = In a GRU: how much of the state is replaced, and how much of it the new content sees.

forget_gate =
    .term = forget gate
    .meaning = In an LSTM: how much of the cell state is kept.

cell_state =
    .term = cell state
    .meaning = An LSTM’s second vector, which keeps things over long distances.

pass =
    .term = pass
    .meaning = One reading of all facts from the first to the last.

bucket =
    .term = bucket
    .meaning = The group of vectors that got the same hash.

spectrogram =
    .term = spectrogram
    .meaning = How loud each pitch of a sound is over time.

centered =
    .term = centered
    .meaning = With the mean taken away, so that it is 0.

relative_error =
    .term = relative error
    .meaning = The error divided by the true value.

topic =
    .term = topic
    .meaning = In Efficient Attention, one column of the keys’ features: a distribution over all tokens.

mixture =
    .term = mixture
    .meaning = A vector that is a weighted sum of several others, as Linformer makes of all keys.

iteration =
    .term = iteration
    .meaning = One repetition of a computation that improves its result each time.

penalty =
    .term = penalty
    .meaning = A term of the loss that is large where something is not wanted.

pooling =
    .term = pooling
    .meaning = Many vectors made into one, by their mean, maximum or sum.

bigram =
    .term = bigram
    .meaning = Two tokens that stand next to each other.

coverage_loss =
    .term = coverage loss
    .meaning = A penalty for reading again what has been read already.

gaussian =
    .term = Gaussian
    .meaning = The bell curve: largest at its center, falling off to both sides.

premise_hypothesis =
    .term = premise / hypothesis
    .meaning = The sentence that is given, and the one of which it is asked whether it follows.

quartile =
    .term = quartile
    .meaning = A value with a quarter of all numbers below it, or above.

multiply_add =
    .term = multiply-add
    .meaning = One multiplication and one addition: the unit in which work is counted here.
