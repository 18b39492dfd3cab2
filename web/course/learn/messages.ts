import type { Localized } from '../../shell/localized.ts';

export const messages = {
  learn: { en: 'Learn', zh: '学习' },
  title: { en: 'Attention in ten steps', zh: '十步学会注意力' },
  lede: {
    en: 'About twenty minutes. Each step has one picture that computes as you change it, and one question to answer first.',
    zh: '大约二十分钟。每一步都有一幅边改边算的图，和一个先猜后算的问题。',
  },
  start: { en: 'Start', zh: '开始' },
  goOn: { en: (step: number) => `Go on with step ${step}`, zh: (step: number) => `从第 ${step} 步继续` },
  number: {
    en: (step: number, of: number) => `Step ${step} of ${of}`,
    zh: (step: number, of: number) => `第 ${step} 步，共 ${of} 步`,
  },
  doThis: { en: 'Try this', zh: '动手试试' },
  previous: { en: 'Back', zh: '上一步' },
  next: { en: 'Next step', zh: '下一步' },
  steps: { en: 'Steps of the course', zh: '课程的各步' },
  further: { en: 'Read on', zh: '接着看' },
  toQuestion: { en: 'To the question', zh: '跳到问题' },
  learnedTitle: { en: 'What you know now', zh: '学到了什么' },
  goOnTitle: { en: 'Where to go from here', zh: '接下来去哪里' },
} satisfies Record<string, Localized<unknown>>;

/** What the ten steps taught, at the end of the last. */
export const learned: readonly Localized[] = [
  {
    en: 'Attention is a weighted sum of values; the weights come from comparing a query with keys.',
    zh: '注意力就是值的加权和，权重来自查询与各个键的比较。',
  },
  {
    en: 'Softmax makes positive weights that sum to 1; dividing by √d keeps them from becoming one-sided.',
    zh: 'softmax 得到和为 1 的正权重；除以 √d 使权重不致过于集中。',
  },
  {
    en: 'Learned projections decide what each word asks for, what it is found by, and what it gives.',
    zh: '学习到的投影决定每个词查询什么、以什么被查到、给出什么。',
  },
  {
    en: 'Several heads look for different things; positions and masks say where each may look.',
    zh: '多个头各找各的；位置和掩码决定每个词元能看向哪里。',
  },
  {
    en: 'Every word is compared with every other: the cost grows with the square of the length.',
    zh: '每个词元都与其他词元比较：代价随长度的平方增长。',
  },
];

/** Pages for whoever has finished the course. */
export const goingOn: readonly { readonly path: string; readonly text: Localized }[] = [
  { path: 'model', text: { en: 'See these heads in a trained model', zh: '在训练好的模型里看这些头' } },
  { path: 'text', text: { en: 'Try it on a long text of your own', zh: '用你自己的长文本试试' } },
  { path: 'compare', text: { en: 'Compare mechanisms side by side', zh: '把几种机制并列比较' } },
  { path: 'mechanisms', text: { en: 'All mechanisms by family and year', zh: '全部机制：按族与年份' } },
];
