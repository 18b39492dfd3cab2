import type { Localized } from '../../shell/localized.ts';

export const messages = {
  title: { en: 'Where do the weights come from?', zh: '权重参数从哪里来？' },
  lede: {
    en: 'Nobody writes a model’s weights by hand. They begin as random numbers, and each training step moves them a little so that the right answer becomes more likely. Play the training and watch attention form.',
    zh: '模型的权重参数不是人写出来的。它们一开始是随机数，每训练一步就挪动一点，让正确答案的概率变大。播放训练过程，看注意力怎样成形。',
  },
  model: { en: 'Task', zh: '任务' },
} satisfies Record<string, Localized>;
