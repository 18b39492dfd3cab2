import { plural, type Localized } from '../../shell/localized.ts';
import { megabytes } from '../messages.ts';
import type { Note } from './checkpoint.ts';
import type { FamilyName } from './family.ts';
import type { Complaint } from './files.ts';
import type { Refusal } from './job.ts';

const list = (names: readonly string[]): string => names.slice(0, 6).join(', ');
const shape = (lengths: readonly number[]): string => `[${lengths.map((n) => (n < 0 ? '?' : n)).join(', ')}]`;

/** What stands on the page of a visitor's own model. */
export const messages = {
  title: { en: 'Your own model', zh: '你自己的模型' },
  question: { en: 'What do the heads of your model look at?', zh: '你的模型里，每个头在看什么？' },
  drop: {
    en: 'Drop a model’s .safetensors here, with its config.json and tokenizer.json',
    zh: '把模型的 .safetensors 拖到这里，最好连同 config.json 和 tokenizer.json',
  },
  choose: { en: 'Choose files', zh: '选择文件' },
  understood: {
    en: 'BERT and RoBERTa, GPT-2, Llama (Mistral, Qwen2) and ViT under Hugging Face’s names, in one file or several. The files stay on your machine; the weights may take up to 3.2 GB of memory.',
    zh: '支持 Hugging Face 命名的 BERT 与 RoBERTa、GPT-2、Llama（Mistral、Qwen2）和 ViT，一个或多个文件都可以。文件不会离开你的设备；权重参数最多可占 3.2 GB 内存。',
  },
  kept: {
    en: 'A link or a saved file holds the text and what was changed, not the model: open its files again there.',
    zh: '链接和存下的文件含有文本与所做的改动，不含模型：打开后请再次选择模型的文件。',
  },
  inspecting: { en: 'Reading the names of the weights …', zh: '正在读取权重参数的名称……' },
  files: { en: 'Files', zh: '文件' },
  unknownModel: {
    en: 'These are no weights that this page knows: it looks for embeddings.word_embeddings (BERT), wte (GPT-2), embed_tokens (Llama) or embeddings.patch_embeddings (ViT).',
    zh: '没有认出这些权重参数。本页寻找的名称是 embeddings.word_embeddings（BERT）、wte（GPT-2）、embed_tokens（Llama）或 embeddings.patch_embeddings（ViT）。',
  },
  families: {
    bert: { en: 'BERT', zh: 'BERT' },
    gpt2: { en: 'GPT-2', zh: 'GPT-2' },
    llama: { en: 'Llama', zh: 'Llama' },
    vit: { en: 'ViT', zh: 'ViT' },
  } satisfies Record<FamilyName, Localized>,
  sizes: {
    en: (layers: number, heads: number, width: number, parameters: string) =>
      `${plural(layers, 'layer')}, ${plural(heads, 'head')} each, width ${width}, ${plural(parameters, 'parameter')}`,
    zh: (layers: number, heads: number, width: number, parameters: string) =>
      `${layers} 层，每层 ${heads} 个头，维度 ${width}，${parameters} 个参数`,
  },
  precision: { en: 'Weights in', zh: '权重参数精度' },
  dtypes: { float32: { en: 'float32', zh: 'float32' }, int8: { en: '8 bits', zh: '8 位' } },
  open: { en: (size: string) => `Open the model (${size} of memory)`, zh: (size: string) => `打开模型（占内存 ${size}）` },
  tooLarge: {
    en: (size: string, most: string) => `The weights would take ${size} of memory; at most ${most} can be had.`,
    zh: (size: string, most: string) => `权重参数需要 ${size} 内存，最多只有 ${most} 可用。`,
  },
  opening: {
    en: (n: number, all: number) => `Layer ${n} of ${all}`,
    zh: (n: number, all: number) => `第 ${n} 层，共 ${all} 层`,
  },
  cancel: { en: 'Cancel', zh: '取消' },
  text: { en: 'Text', zh: '文本' },
  ids: {
    en: 'Ids of tokens, as there is no tokenizer.json yet',
    zh: '还没有 tokenizer.json，请输入词元编号',
  },
  cut: {
    en: (shown: number, total: number) => `The first ${shown} of ${plural(total, 'token')} are read.`,
    zh: (shown: number, total: number) => `共 ${total} 个词元，只读前 ${shown} 个。`,
  },
  next: { en: 'Candidates for the next token', zh: '下一个词元的候选' },
  append: { en: (token: string) => `Append ${token}`, zh: (token: string) => `接上 ${token}` },
  image: { en: 'Choose an image', zh: '选择图片' },
  scene: { en: 'A drawn scene', zh: '画好的场景' },
  patch: { en: 'patch', zh: '图像块' },
  from: { en: 'Looking from', zh: '从这里看' },
  classToken: { en: 'the class token', zh: '类别词元' },
  fromPatch: {
    en: (row: number, col: number) => `patch ${row}, ${col}`,
    zh: (row: number, col: number) => `第 ${row} 行第 ${col} 列的图像块`,
  },
  imageFailed: { en: 'This file is no image that the browser can read.', zh: '浏览器读不了这张图片。' },
  imageLarge: { en: 'This image has more than 40 MB.', zh: '图片超过 40 MB。' },
  imageNote: {
    en: 'The picture is cut to a square and its colors are scaled to −1 … 1, as ViT was trained.',
    zh: '图片裁成正方形，颜色缩放到 −1 … 1，与 ViT 训练时相同。',
  },
  imageAlt: { en: 'The image as the model gets it', zh: '模型看到的图片' },
  yours: { en: 'yours', zh: '你的' },
  weightsOfPatch: { en: 'Weights', zh: '权重' },
} satisfies Record<string, Localized<unknown> | Record<string, Localized>>;

/** What is said about a file, in place. */
export function noteText(note: Note): Localized {
  switch (note.kind) {
    case 'missing':
      return {
        en: `Missing: ${list(note.names)}${note.names.length > 6 ? ` and ${note.names.length - 6} more` : ''}`,
        zh: `缺少：${list(note.names)}${note.names.length > 6 ? ` 等 ${note.names.length} 个` : ''}`,
      };
    case 'shape':
      return {
        en: `${note.name} must have the shape ${shape(note.wanted)}, and has ${shape(note.got)}`,
        zh: `${note.name} 的形状应为 ${shape(note.wanted)}，文件里是 ${shape(note.got)}`,
      };
    case 'type':
      return {
        en: `${note.name} has numbers of the type ${note.dtype}; F32, F16, BF16 and F64 are read`,
        zh: `${note.name} 的数据类型是 ${note.dtype}；本页读取 F32、F16、BF16 和 F64`,
      };
    case 'config':
      return {
        en: `config.json: ${note.key} cannot be ${note.value} here`,
        zh: `config.json：${note.key} 不能是 ${note.value}`,
      };
    case 'assumed':
      return {
        en: `Not given, so assumed: ${note.key} = ${note.value}`,
        zh: `没有给出，暂且假定：${note.key} = ${note.value}`,
      };
    case 'ignored':
      return {
        en: `Not understood, so results may differ from the model’s: ${note.key} = ${note.value}`,
        zh: `不支持这一项，结果可能与原模型不同：${note.key} = ${note.value}`,
      };
    case 'unused':
      return {
        en: `Not read, ${note.names.length} in all: ${list(note.names)}`,
        zh: `没有用到，共 ${note.names.length} 个：${list(note.names)}`,
      };
  }
}

export function complaintText(complaint: Complaint): Localized {
  switch (complaint.kind) {
    case 'unknown':
      return {
        en: `${complaint.name} is not read here. A model has .safetensors, config.json, and tokenizer.json or, of BERT, vocab.txt.`,
        zh: `${complaint.name} 不能读取。模型的文件是 .safetensors、config.json，以及 tokenizer.json（BERT 也可以用 vocab.txt）。`,
      };
    case 'instead':
      return {
        en: `${complaint.name} is not read here: give the model’s ${complaint.give} instead.`,
        zh: `${complaint.name} 不能读取，请改用该模型的 ${complaint.give}。`,
      };
    case 'large':
      return {
        en: `${complaint.name} has ${megabytes(complaint.bytes)}; at most ${megabytes(complaint.most)} are read`,
        zh: `${complaint.name} 有 ${megabytes(complaint.bytes)}，最多读取 ${megabytes(complaint.most)}`,
      };
    case 'json':
      return { en: `${complaint.name} is no object in JSON`, zh: `${complaint.name} 不是 JSON 对象` };
    case 'refused':
      return { en: `This cannot be read: ${complaint.text}`, zh: `读取失败：${complaint.text}` };
  }
}

export function refusalText(refusal: Refusal): Localized {
  switch (refusal.kind) {
    case 'empty':
      return { en: 'There is no token in it yet.', zh: '还没有词元。' };
    case 'ids':
      return {
        en: `“${refusal.text}” is no id of this vocabulary.`,
        zh: `“${refusal.text}”不是这个词表里的编号。`,
      };
    case 'vocabulary':
      return {
        en: `The tokenizer is another model’s: “${refusal.token}” has the id ${refusal.id}, and the vocabulary has ${refusal.vocabulary} tokens.`,
        zh: `分词器与模型不配套：“${refusal.token}”的编号是 ${refusal.id}，而词表只有 ${refusal.vocabulary} 个词元。`,
      };
  }
}
