/** The pages beside those of mechanisms, as the search finds them. Read when the page is built, by plugins/search_index.ts, and not part of what is built. */
import * as compareMessages from '../build/generated/texts/before_attention.ts';
import * as learnMessages from '../build/generated/texts/learn.ts';
import * as homeMessages from '../build/generated/texts/home.ts';
import * as weightsMessages from '../build/generated/texts/weights.ts';
import * as wordsMessages from '../build/generated/texts/words.ts';
import * as comparison from '../build/generated/texts/comparison.ts';
import * as image from '../build/generated/texts/image.ts';
import * as sound from '../build/generated/texts/sound.ts';
import * as longText from '../build/generated/texts/text.ts';
import * as laboratory from '../build/generated/texts/laboratory.ts';
import * as model from '../build/generated/texts/model.ts';
import * as ownModel from '../build/generated/texts/own_model.ts';
import * as offline from '../build/generated/texts/offline.ts';
import * as searchMessages from '../build/generated/texts/search.ts';
import { COMPARISONS } from './course/compare/comparisons.ts';
import { STEPS } from './course/learn/steps.ts';
import { DEFINITIONS } from './course/words/definitions.ts';
import { FAMILIES } from './families/families.ts';
import { GLOSSARY } from './shell/glossary.ts';
import type { Localized } from './shell/localized.ts';

export interface SearchedPage {
  /** The path in the address, behind "#/". */
  readonly path: string;
  readonly title: Localized;
  /** Names that learners use for its subject, in both languages. */
  readonly aliases: readonly string[];
  /** All texts in it that are { en, zh } are searched. */
  readonly texts: unknown;
}

/** Other names of the subjects of the ten steps, in their order. */
const STEP_ALIASES: readonly (readonly string[])[] = [
  ['vector', 'embedding', 'word embedding', 'one-hot', '向量', '嵌入', '词嵌入', '词向量', '独热'],
  ['query, key, value', 'QKV', 'what is attention', '查询、键、值', '什么是注意力'],
  ['worked example', 'numerical example', 'by hand', '算例', '手算', '例题'],
  ['softmax', 'temperature', 'scale', 'divide by √d', '温度', '缩放', '归一化'],
  ['projection', 'W_q, W_k, W_v', 'projection matrices', '投影', '投影矩阵'],
  ['attention matrix', 'attention map', 'matrix form', '注意力矩阵', '矩阵形式'],
  ['heads', 'output projection', 'W_o', '头', '输出投影'],
  ['position', 'word order', 'permutation equivariance', '词序', '置换等变性'],
  ['mask', 'masking', 'causal mask', 'padding mask', 'decoding', '掩码', '因果掩码', '遮罩', '解码'],
  ['complexity', 'cost', 'quadratic', 'n²', 'efficient attention', '复杂度', '平方复杂度'],
];

/** Names of the families in the field, beside their titles. */
const FAMILY_ALIASES: Readonly<Record<string, readonly string[]>> = {
  basics: ['scoring functions', 'score functions', '打分函数', '评分函数', '注意力打分'],
  alignment: [
    'translation',
    'machine translation',
    'seq2seq',
    'encoder-decoder',
    '翻译',
    '机器翻译',
    '序列到序列',
    '编码器',
    '解码器',
  ],
  pooling: ['pooling', 'text classification', 'sentence vector', '汇聚', '池化', '文本分类'],
  sparse: ['sparse attention', 'efficient transformers', '稀疏'],
  'linear-and-low-rank': ['low-rank', 'efficient transformers', '低秩', '线性'],
  memory: ['question answering', '记忆', '问答'],
  'pointing-and-copying': ['reading comprehension', 'summarization', '阅读理解', '摘要'],
  'beyond-text': ['vision', 'computer vision', '视觉', '计算机视觉'],
};

export const PAGES: readonly SearchedPage[] = [
  {
    path: '',
    title: homeMessages.title,
    aliases: ['home', 'start', 'attention', '首页', '主页', '注意力', '注意力机制'],
    texts: homeMessages,
  },
  {
    path: 'learn',
    title: learnMessages.title,
    aliases: ['learn', 'course', 'tutorial', 'lesson', 'beginner', '课程', '教程', '入门'],
    texts: learnMessages,
  },
  ...STEPS.map((step, n) => ({ path: `learn/${n + 1}`, title: step.title, aliases: STEP_ALIASES[n] ?? [], texts: step })),
  ...FAMILIES.map(({ path, title, question }) => ({
    path: `family/${path}`,
    title,
    aliases: FAMILY_ALIASES[path] ?? [],
    texts: question,
  })),
  ...COMPARISONS.map((one) => ({
    path: `compare/${one.id}`,
    title: one.title,
    aliases: [one.other.en, one.other.zh],
    texts: [one, compareMessages],
  })),
  {
    path: 'weights',
    title: weightsMessages.title,
    aliases: ['weights', 'training', 'trained weights', 'learned parameters', '训练', '权重', '参数'],
    texts: weightsMessages,
  },
  {
    path: 'model',
    title: model.title,
    aliases: ['trained model', 'sentence encoder', 'all heads', '训练好的模型', '句子编码器', '模型'],
    texts: model,
  },
  {
    path: 'model/own',
    title: ownModel.title,
    aliases: [
      'BERT',
      'RoBERTa',
      'GPT',
      'GPT-2',
      'Llama',
      'Mistral',
      'Qwen',
      'Vision Transformer',
      'ViT',
      'Hugging Face',
      'safetensors',
      'load a model',
      '加载模型',
      '大模型',
      '大语言模型',
      'LLM',
    ],
    texts: ownModel,
  },
  {
    path: 'compare',
    title: comparison.title,
    aliases: ['compare mechanisms', 'comparison', '比较', '对比', '对照'],
    texts: comparison,
  },
  {
    path: 'laboratory',
    title: laboratory.title,
    aliases: ['benchmark', 'speed', 'memory use', 'measure', '性能', '速度', '测速', '内存', '基准测试'],
    texts: laboratory,
  },
  {
    path: 'text',
    title: longText.title,
    aliases: ['long text', 'long context', 'long sequence', 'document', '长文本', '长上下文', '长序列'],
    texts: longText,
  },
  { path: 'image', title: image.title, aliases: ['image', 'picture', 'photo', '图像', '图片', '照片'], texts: image },
  {
    path: 'sound',
    title: sound.title,
    aliases: ['sound', 'audio', 'recording', 'microphone', 'spectrogram', '声音', '音频', '录音', '声谱图'],
    texts: sound,
  },
  {
    path: 'words',
    title: wordsMessages.title,
    aliases: ['glossary', 'terms', 'definitions', '术语', '词汇表', '名词解释'],
    texts: [
      wordsMessages,
      DEFINITIONS,
      GLOSSARY,
      GLOSSARY.map(({ also = [] }) => also.map((name) => ({ en: name, zh: name }))),
    ],
  },
  {
    path: 'mechanisms',
    title: searchMessages.map,
    aliases: ['all mechanisms', 'history', 'timeline', '历史', '全部机制'],
    texts: searchMessages,
  },
  { path: 'offline', title: offline.title, aliases: ['without a network', 'install', '断网', '离线'], texts: offline },
];

/** The lesson of each mechanism, by its id in the catalog. */
export const LESSONS: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(import.meta.glob('./lessons/*.ts', { eager: true, import: 'default' })).map(([file, lesson]) => [
    file.replace(/^.*\/|\.ts$/g, ''),
    lesson,
  ]),
);
