import type { Localized } from '../shell/localized.ts';
import type { Field, PartKind } from './patterns.ts';

/** The parts of a pattern. */
export const partNames: Readonly<Record<PartKind, Localized>> = {
  local: { en: 'local window', zh: '局部窗口' },
  atrous: { en: 'atrous (dilated)', zh: '空洞' },
  sparse: { en: 'sparse: local or atrous', zh: '稀疏：局部或空洞' },
  causal: { en: 'causal', zh: '因果' },
  truncated: { en: 'truncated', zh: '截断' },
  strided: { en: 'Sparse Transformer, strided', zh: 'Sparse Transformer，步幅' },
  fixed: { en: 'Sparse Transformer, fixed', zh: 'Sparse Transformer，固定' },
  longformer: { en: 'Longformer', zh: 'Longformer' },
  bigBird: { en: 'BigBird', zh: 'BigBird' },
  block: { en: 'blocks', zh: '分块' },
  global: { en: 'global tokens', zh: '全局词元' },
};

export const partNotes: Readonly<Record<PartKind, Localized>> = {
  local: { en: 'Keys at most so many positions away, on each side.', zh: '两侧距离不超过此数的键。' },
  atrous: { en: 'Keys whose distance is a multiple of this number, 0 among them.', zh: '距离为此数倍数的键，包括 0。' },
  sparse: {
    en: 'Sparse self-attention: keys at most so many positions away, and those at every multiple of it.',
    zh: '稀疏自注意力：距离不超过此数的键，以及距离为其倍数的键。',
  },
  causal: { en: 'The query’s own position and those before it.', zh: '查询自己的位置和前面的位置。' },
  truncated: {
    en: 'The query’s own position, so many before it and so many after it.',
    zh: '查询自己的位置，加上前面若干个和后面若干个。',
  },
  strided: {
    en: 'As many positions back as the stride, and every multiple of it farther back; none after the query.',
    zh: '往前一个步幅之内的位置，以及更前面距离为步幅倍数的位置；不看后面。',
  },
  fixed: {
    en: 'The query’s own stretch of one stride, and the last positions of every stretch; none after the query.',
    zh: '查询所在的一段（长为一个步幅），以及每一段末尾的位置；不看后面。',
  },
  longformer: {
    en: 'A window, half of it on each side, and the first tokens global: they see all keys, and all queries see them.',
    zh: '一个窗口，两侧各一半；开头的词元是全局的：它们看见所有的键，所有的查询也看见它们。',
  },
  bigBird: {
    en: 'A window of three blocks, the first block global, and blocks drawn at random.',
    zh: '三个块的窗口、全局的第一块，以及随机抽取的块。',
  },
  block: { en: 'Keys in the query’s own block.', zh: '查询所在块里的键。' },
  global: { en: 'These tokens see all keys, and all queries see them.', zh: '这些词元看见所有的键，所有的查询也看见它们。' },
};

export const fieldNames: Readonly<Record<Field['name'], Localized>> = {
  reach: { en: 'each side', zh: '两侧各' },
  left: { en: 'before', zh: '之前' },
  right: { en: 'after', zh: '之后' },
  every: { en: 'every', zh: '间隔' },
  stride: { en: 'stride', zh: '步幅' },
  last: { en: 'last', zh: '末尾' },
  window: { en: 'window', zh: '窗口' },
  global: { en: 'global', zh: '全局' },
  block: { en: 'block of', zh: '块长' },
  random: { en: 'random', zh: '随机' },
  seed: { en: 'seed', zh: '随机种子' },
  from: { en: 'from token', zh: '起始词元' },
  count: { en: 'how many', zh: '个数' },
};

export const joints = { or: { en: 'or', zh: '或' }, and: { en: 'and', zh: '且' } } satisfies Record<string, Localized>;

export const messages = {
  kind: { en: 'Kind', zh: '种类' },
  not: { en: 'not', zh: '取反' },
  joint: { en: 'Joined by', zh: '连接' },
  add: { en: 'Add a part', zh: '添加一部分' },
  paintHelp: {
    en: 'Click or drag over the grid to keep pairs or leave them out.',
    zh: '按格子或在上面拖动，保留或去掉这些对。',
  },
  keepAll: { en: 'keep all', zh: '全部保留' },
  keepNone: { en: 'keep none', zh: '全部去掉' },
  asChosen: { en: 'as chosen', zh: '同所选' },
} satisfies Record<string, Localized>;

export const sentences = {
  part: { en: (n: number) => `Part ${n}`, zh: (n: number) => `第 ${n} 部分` },
  remove: { en: (what: string) => `Take away: ${what}`, zh: (what: string) => `去掉：${what}` },
} satisfies Record<string, Localized<unknown>>;
