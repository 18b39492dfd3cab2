import type { Localized } from '../../shell/localized.ts';

export const messages = {
  title: { en: 'Where do the weights come from?', zh: '权重参数从哪里来？' },
  lede: {
    en: 'Nobody writes W_q, W_k or v by hand. They begin as random numbers, and each training step moves them a little so that the right answer becomes more likely. Move the slider and watch the attention weights form.',
    zh: 'W_q、W_k、v 都不是人写出来的。它们一开始是随机数，每训练一步就挪动一点，让正确答案的概率变大。拖动滑块，看注意力权重怎样成形。',
  },
  model: { en: 'Task', zh: '任务' },
} satisfies Record<string, Localized>;
