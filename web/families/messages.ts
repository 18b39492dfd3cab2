import type { Slot } from 'fovea/catalog';
import type { Localized } from '../shell/localized.ts';

/** What stands on the page of every mechanism. */
export const messages = {
  variants: { en: 'Mechanisms of this family', zh: '本族的机制' },
  doThis: { en: 'Try this', zh: '动手试试' },
  claim: { en: 'What it shows', zh: '它说明什么' },
  holds: { en: '✓ checked with the numbers above', zh: '✓ 已用上面的数字核对' },
  fails: {
    en: '✗ not true with the numbers above',
    zh: '✗ 按上面的数字不成立',
  },
  contrast: { en: 'Beside its sibling', zh: '与同族对照' },
  compareWith: { en: 'Compare with …', zh: '与其他机制对照……' },
  sideBySide: { en: 'side by side', zh: '并列对照' },
  history: { en: 'Why it was invented', zh: '为什么发明它' },
  textbook: { en: 'Your textbook writes …', zh: '教材写法' },
  reset: { en: 'Back to the start', zh: '恢复初始设置' },
  otherSizes: {
    en: 'Your matrices have other sizes than this mechanism’s own: its picture and its lesson are made for those, so here stand the arrays alone. All steps are below.',
    zh: '你的矩阵与本机制自带的大小不同：图和讲解是按自带数据做的，所以这里只显示数组，全部步骤在下面。',
  },
  refused: { en: 'The package refuses this', zh: '软件包拒绝了这组输入' },
  reference: { en: 'Reference', zh: '参考' },
  spine: {
    en: 'The one formula of all mechanisms; what this one changes is marked',
    zh: '所有机制共用的公式；标出的是它改动的部分',
  },
  over: { en: 'over', zh: '范围' },
  predict: { en: 'First guess', zh: '先猜一猜' },
  notSure: { en: 'Not sure', zh: '不确定' },
  reveal: { en: 'Compute it', zh: '计算' },
  right: {
    en: (choice: string) => `Right: “${choice}”.`,
    zh: (choice: string) => `正确：“${choice}”。`,
  },
  other: {
    en: (choice: string) => `Not quite: the answer is “${choice}”.`,
    zh: (choice: string) => `不对，正确答案是“${choice}”。`,
  },
  answer: {
    en: (choice: string) => `The answer is “${choice}”.`,
    zh: (choice: string) => `正确答案是“${choice}”。`,
  },
  unknown: { en: 'There is no page at this address.', zh: '这个地址没有页面。' },
  home: { en: 'Go to the first page', zh: '回到首页' },
  again: { en: 'Ask again', zh: '再问一次' },
  covered: { en: 'Covered until you answer', zh: '作答之后显示' },
  showMe: { en: 'Show me', zh: '直接看结果' },
  alwaysShow: { en: 'Cover nothing from now on', zh: '以后都直接显示' },
  coverAgain: { en: 'Cover the answers again', zh: '重新遮住答案' },
} satisfies Record<string, Localized<unknown>>;

export const slots: Readonly<Record<Slot, Localized>> = {
  score: { en: 'score', zh: '分数' },
  softcap: { en: 'softcap', zh: '软截断' },
  bias: { en: 'bias', zh: '偏置' },
  mask: { en: 'mask', zh: '掩码' },
  normalizer: { en: 'normalizer', zh: '归一化' },
  weightScale: { en: 'weight scale', zh: '权重缩放' },
  value: { en: 'value', zh: '值' },
  relativeValue: { en: 'relative value', zh: '相对位置值' },
};
