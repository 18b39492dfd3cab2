title = Your own model
question = What do the heads of your model look at?
drop = Drop a model’s .safetensors here, with its config.json and tokenizer.json
choose = Choose files
understood = BERT and RoBERTa, GPT-2, Llama (Mistral, Qwen2) and ViT under Hugging Face’s names, in one file or several. The files stay on your machine; the weights may take up to 3.2 GB of memory.
kept = A link or a saved file holds the text and what was changed, not the model: open its files again there.
inspecting = Reading the names of the weights …
files = Files
unknownModel = These are no weights that this page knows: it looks for embeddings.word_embeddings (BERT), wte (GPT-2), embed_tokens (Llama) or embeddings.patch_embeddings (ViT).

families =
    .bert = BERT
    .gpt2 = GPT-2
    .llama = Llama
    .vit = ViT

sizes = { $layers ->
    [one] { $layers } layer
   *[other] { $layers } layers
}, { $heads ->
    [one] { $heads } head
   *[other] { $heads } heads
} each, width { $width }, { $parameters ->
    [one] { $parameters } parameter
   *[other] { $parameters } parameters
}
precision = Weights in

dtypes =
    .float32 = float32
    .int8 = 8 bits

open = Open the model ({ $size } of memory)
tooLarge = The weights would take { $size } of memory; at most { $most } can be had.
opening = Layer { $n } of { $all }
cancel = Cancel
text = Text
ids = Ids of tokens, as there is no tokenizer.json yet
cut = The first { $shown } of { $total ->
    [one] { $total } token
   *[other] { $total } tokens
} are read.
next = Candidates for the next token
append = Append { $token }
image = Choose an image
scene = A drawn scene
patch = patch
from = Looking from
classToken = the class token
fromPatch = patch { $row }, { $col }
imageFailed = This file is no image that the browser can read.
imageLarge = This image has more than 40 MB.
imageNote = The picture is cut to a square and its colors are scaled to −1 … 1, as ViT was trained.
imageAlt = The image as the model gets it
yours = yours
# Sentences about the files of a model, in place.
notes =
    .missing = Missing: { $names }
    .missingMore = Missing: { $names } and { $rest } more
    .shape = { $name } must have the shape { $wanted }, and has { $got }
    .type = { $name } has numbers of the type { $dtype }; F32, F16, BF16 and F64 are read
    .config = config.json: { $key } cannot be { $value } here
    .assumed = Not given, so assumed: { $key } = { $value }
    .ignored = Not understood, so results may differ from the model’s: { $key } = { $value }
    .unused = Not read, { $count } in all: { $names }

complaints =
    .unknown = { $name } is not read here. A model has .safetensors, config.json, and tokenizer.json or, of BERT, vocab.txt.
    .instead = { $name } is not read here: give the model’s { $give } instead.
    .large = { $name } has { $size }; at most { $most } are read
    .json = { $name } is no object in JSON
    .refused = This cannot be read: { $text }

refusals =
    .empty = There is no token in it yet.
    .ids = “{ $text }” is no id of this vocabulary.
    .vocabulary = The tokenizer is another model’s: “{ $token }” has the id { $id }, and the vocabulary has { $vocabulary ->
        [one] { $vocabulary } token
       *[other] { $vocabulary } tokens
    }.
