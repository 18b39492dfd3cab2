title = 你自己的模型
question = 你的模型里，每个头在看什么？
drop = 把模型的 .safetensors 拖到这里，最好连同 config.json 和 tokenizer.json
choose = 选择文件
understood = 支持 Hugging Face 命名的 BERT 与 RoBERTa、GPT-2、Llama（Mistral、Qwen2）和 ViT，一个或多个文件都可以。文件不会离开你的设备；权重参数最多可占 3.2 GB 内存。
kept = 链接和存下的文件含有文本与所做的改动，不含模型：打开后请再次选择模型的文件。
inspecting = 正在读取权重参数的名称……
files = 文件
unknownModel = 没有认出这些权重参数。本页寻找的名称是 embeddings.word_embeddings（BERT）、wte（GPT-2）、embed_tokens（Llama）或 embeddings.patch_embeddings（ViT）。

families =
    .bert = BERT
    .gpt2 = GPT-2
    .llama = Llama
    .vit = ViT

sizes = { $layers } 层，每层 { $heads } 个头，维度 { $width }，{ $parameters } 个参数
precision = 权重参数精度

dtypes =
    .float32 = float32
    .int8 = 8 位

open = 打开模型（占内存 { $size }）
tooLarge = 权重参数需要 { $size } 内存，最多只有 { $most } 可用。
opening = 第 { $n } 层，共 { $all } 层
cancel = 取消
text = 文本
ids = 还没有 tokenizer.json，请输入词元编号
cut = 共 { $total } 个词元，只读前 { $shown } 个。
next = 下一个词元的候选
append = 接上 { $token }
image = 选择图片
scene = 画好的场景
patch = 图像块
from = 从这里看
classToken = 类别词元
fromPatch = 第 { $row } 行第 { $col } 列的图像块
imageFailed = 浏览器读不了这张图片。
imageLarge = 图片超过 40 MB。
imageNote = 图片裁成正方形，颜色缩放到 −1 … 1，与 ViT 训练时相同。
imageAlt = 模型看到的图片
yours = 你的
notes =
    .missing = 缺少：{ $names }
    .missingMore = 缺少：{ $names } 等 { $rest } 个
    .shape = { $name } 的形状应为 { $wanted }，文件里是 { $got }
    .type = { $name } 的数据类型是 { $dtype }；本页读取 F32、F16、BF16 和 F64
    .config = config.json：{ $key } 不能是 { $value }
    .assumed = 没有给出，暂且假定：{ $key } = { $value }
    .ignored = 不支持这一项，结果可能与原模型不同：{ $key } = { $value }
    .unused = 没有用到，共 { $count } 个：{ $names }

complaints =
    .unknown = { $name } 不能读取。模型的文件是 .safetensors、config.json，以及 tokenizer.json（BERT 也可以用 vocab.txt）。
    .instead = { $name } 不能读取，请改用该模型的 { $give }。
    .large = { $name } 有 { $size }，最多读取 { $most }
    .json = { $name } 不是 JSON 对象
    .refused = 读取失败：{ $text }

refusals =
    .empty = 还没有词元。
    .ids = “{ $text }”不是这个词表里的编号。
    .vocabulary = 分词器与模型不配套：“{ $token }”的编号是 { $id }，而词表只有 { $vocabulary } 个词元。
