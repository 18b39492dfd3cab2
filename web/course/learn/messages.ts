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
  finish: { en: 'All mechanisms', zh: '看全部机制' },
  steps: { en: 'Steps of the course', zh: '课程的各步' },
  further: { en: 'Read on', zh: '接着看' },
} satisfies Record<string, Localized<unknown>>;
