# Other names by which the search finds a page; they are not shown.
pages =
    .home = home; start; attention
    .learn = learn; course; tutorial; lesson; beginner
    .weights = weights; training; trained weights; learned parameters
    .model = trained model; sentence encoder; all heads
    .ownModel = BERT; RoBERTa; GPT; GPT-2; Llama; Mistral; Qwen; Vision Transformer; ViT; Hugging Face; safetensors; load a model; LLM
    .compare = compare mechanisms; comparison
    .laboratory = benchmark; speed; memory use; measure
    .text = long text; long context; long sequence; document
    .image = image; picture; photo
    .sound = sound; audio; recording; microphone; spectrogram
    .words = glossary; terms; definitions
    .mechanisms = all mechanisms; history; timeline
    .offline = without a network; install

# Names of the subjects of the ten steps.
steps =
    .vectors = vector; embedding; word embedding; one-hot
    .one_query = query, key, value; QKV; what is attention
    .worked_example = worked example; numerical example; by hand
    .softmax = softmax; temperature; scale; divide by √d
    .projections = projection; W_q, W_k, W_v; projection matrices
    .matrix = attention matrix; attention map; matrix form
    .heads = heads; output projection; W_o
    .positions = position; word order; permutation equivariance
    .masks = mask; masking; causal mask; padding mask; decoding
    .cost = complexity; cost; quadratic; n²; efficient attention

# Names of the families in the field, beside their titles.
families =
    .basics = scoring functions; score functions
    .alignment = translation; machine translation; seq2seq; encoder-decoder
    .pooling = pooling; text classification; sentence vector
    .sparse = sparse attention; efficient transformers
    .linear = low-rank; efficient transformers
    .memory = question answering
    .pointing = reading comprehension; summarization
    .beyondText = vision; computer vision
