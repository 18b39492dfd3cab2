import { plural, type Localized } from '../shell/localized.ts';
import type { HeadName } from '../text/named_heads.ts';

export const messages = {
  query: { en: 'query', zh: '查询' },
  key: { en: 'key', zh: '键' },
  weight: { en: 'weight', zh: '权重' },
  picture: { en: 'attention weights', zh: '注意力权重' },
  role: { en: 'heatmap', zh: '热力图' },
  help: { en: 'Arrow keys move the selected cell.', zh: '方向键移动所选的格子。' },
  caption: {
    en: (quantity: string, axes: string) => `${quantity}: ${axes}`,
    zh: (quantity: string, axes: string) => `${quantity}：${axes}`,
  },
  loading: { en: 'Loading the attention core…', zh: '正在加载注意力核心……' },
  noCore: {
    en: 'The attention core cannot run here: it needs WebAssembly with SIMD, and a policy that allows it.',
    zh: '注意力核心无法在这里运行：需要支持 SIMD 的 WebAssembly，并且页面的安全策略允许运行它。',
  },
  refused: { en: (why: string) => `The core refused this input: ${why}`, zh: (why: string) => `核心拒绝了这个输入：${why}` },
  noTokens: {
    en: 'No tokens: write a sentence into the attribute “tokens”.',
    zh: '没有词元：请在 tokens 属性中写一个句子。',
  },
  badTokens: {
    en: 'The attribute “tokens” begins like a list but is not one: write ["a", "b"], or a plain sentence.',
    zh: 'tokens 属性看起来像列表，却不完整：请写 ["甲","乙"]，或直接写一个句子。',
  },
  tooLong: {
    en: (limit: number) => `The text is longer than ${plural(limit, 'character')}; a shorter one is drawn.`,
    zh: (limit: number) => `文字超过 ${limit} 个字符，请缩短。`,
  },
  cut: {
    en: (shown: number, total: number) => `The first ${shown} of ${plural(total, 'token')}.`,
    zh: (shown: number, total: number) => `共 ${total} 个词元，只显示前 ${shown} 个。`,
  },
  unknown: {
    en: (name: string, known: string) => `There is no mechanism “${name}”. This picture knows: ${known}.`,
    zh: (name: string, known: string) => `没有名为“${name}”的机制。这里可用的有：${known}。`,
  },
  onThePage: {
    en: (title: string) => `${title} needs more than a sentence. It has a page of its own:`,
    zh: (title: string) => `${title} 需要的不只是一个句子，请看它自己的页面：`,
  },
  unknownHead: {
    en: (name: string, known: string) => `There is no head “${name}”. Heads: ${known}.`,
    zh: (name: string, known: string) => `没有名为“${name}”的头。可用的头：${known}。`,
  },
  provenance: {
    en: (head: string, version: string) =>
      `Weights of the head “${head}”, set by hand; vectors you can read. Computed here by fovea ${version}.`,
    zh: (head: string, version: string) => `头“${head}”的权重为手工设定，词向量可读。由 fovea ${version} 在此算出。`,
  },
  open: { en: 'Number by number on the full page', zh: '在完整页面中逐个数字查看' },
} satisfies Record<string, Localized<unknown>>;

/** The word that each head looks for. */
export const heads: Readonly<Record<HeadName, Localized>> = {
  same: { en: 'the same word', zh: '同一个词' },
  previous: { en: 'the token before', zh: '前一个词元' },
  next: { en: 'the token after', zh: '后一个词元' },
  first: { en: 'the first token', zh: '第一个词元' },
  nearby: { en: 'nearby tokens', zh: '附近的词元' },
  pronoun: { en: 'what a pronoun may stand for', zh: '代词可能指代的词' },
};

/** How a mechanism with a number in it is set here. */
export const notes: Readonly<Record<string, Localized>> = {
  local: { en: 'Two tokens on either side.', zh: '左右各两个词元。' },
  atrous: { en: 'Every second token.', zh: '每隔一个词元。' },
  sparse_transformer: {
    en: 'Stride 3: the three before, and every third.',
    zh: '步长 3：前面三个，以及每隔三个。',
  },
  longformer: {
    en: 'One token on either side; the first sees and is seen by all.',
    zh: '左右各一个词元；第一个词元与所有词元互相可见。',
  },
  bigbird: {
    en: 'One token on either side, the first for all, and one drawn at random (seed 0).',
    zh: '左右各一个，第一个与所有词元互相可见，再随机取一个（种子 0）。',
  },
  alibi: { en: 'Slope 0.5 for each token of distance.', zh: '每相隔一个词元，分数减 0.5。' },
  top_k: { en: 'The two largest scores of each row.', zh: '每行保留最大的两个分数。' },
};
