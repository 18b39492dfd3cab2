import { decimals } from '../../figures/format.ts';
import type { Localized } from '../../shell/localized.ts';
import { gloss } from '../../shell/gloss.ts';

const sign = (x: number): string => decimals(x, 2);

export const messages = {
  title: { en: 'Attention in one picture', zh: '一张图看懂注意力' },
  lede: {
    en: `Drag the green arrow, the query${gloss('查询')}. It is compared with five keys${gloss('键')}; the closer a key points to it, the larger that key’s weight${gloss('权重')}. The output is the mixture of the five values${gloss('值')} by these weights.`,
    zh: `拖动绿色箭头，它是查询${gloss('query')}。查询与五个键${gloss('key')}逐一比较：键的方向越接近查询，权重${gloss('weight')}越大。输出就是五个值${gloss('value')}按权重的混合。`,
  },
  picture: {
    en: 'Five keys as arrows, five values as points and their polygon, a query that you can move, and the output as a dot.',
    zh: '五个键画成箭头，五个值画成点并围成多边形，查询可以移动，输出画成一个圆点。',
  },
  query: { en: 'query', zh: '查询' },
  output: { en: 'output', zh: '输出' },
  weights: { en: 'weight (they sum to 1)', zh: '权重（总和为 1）' },
  tries: { en: 'Try', zh: '试一试' },
  aim: { en: 'Aim at value 3', zh: '对准第 3 个值' },
  lengthen: { en: 'Make it longer', zh: '加长' },
  shorten: { en: 'Make it shorter', zh: '缩短' },
  zero: { en: 'Set the query to zero', zh: '把查询设为零' },
  seenMost: {
    en: (key: number, share: string) => `Key ${key} agrees most with the query: its value makes up ${share} of the output.`,
    zh: (key: number, share: string) => `第 ${key} 个键与查询最相合：它的值在输出中占 ${share}。`,
  },
  seenZero: {
    en: 'The query is zero: all weights are equal, and the output is the mean of the values.',
    zh: '查询为零：各权重相等，输出就是五个值的平均。',
  },
  seenInside: {
    en: 'However you turn it, the output never leaves the polygon of the values.',
    zh: '无论怎样转动，输出都不会离开各个值围成的多边形。',
  },
  spoken: {
    en: (x: number, y: number, weights: readonly string[], outX: number, outY: number) =>
      `query at (${sign(x)}, ${sign(y)}): weights ${weights.join(', ')}; output (${sign(outX)}, ${sign(outY)})`,
    zh: (x: number, y: number, weights: readonly string[], outX: number, outY: number) =>
      `查询在 (${sign(x)}, ${sign(y)})：权重 ${weights.join('、')}；输出 (${sign(outX)}, ${sign(outY)})`,
  },
  ways: { en: 'Where to go on', zh: '接下来' },
  learn: { en: 'Learn attention in ten steps', zh: '十步学会注意力' },
  weightsPage: { en: 'Where do the weights come from?', zh: '权重参数从哪里来？' },
  compare: { en: 'Attention beside what came before it', zh: '注意力与它之前的做法' },
  model: { en: 'Look inside a trained model', zh: '看看训练好的模型内部' },
  longText: { en: 'A long text of yours', zh: '你的长文本' },
  ownImage: { en: 'An image of yours', zh: '你的图像' },
  ownSound: { en: 'A sound of yours', zh: '你的声音' },
  laboratory: { en: 'Measure on your machine', zh: '在你的机器上测量' },
  sideBySide: { en: 'Mechanisms side by side', zh: '机制并列对照' },
  families: { en: 'Nine families of mechanisms', zh: '机制的九个族' },
  all: { en: 'All mechanisms by year', zh: '按年份看全部机制' },
  handmade: { en: 'set by hand', zh: '手工设定' },
} satisfies Record<string, Localized<unknown>>;
