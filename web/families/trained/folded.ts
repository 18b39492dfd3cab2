import type { Localized } from '../../shell/localized.ts';

/** The texts that stand on a mechanism's page before its checkpoints are loaded. */
export const folded = {
  open: { en: 'From random to trained', zh: '从随机到训练完成' },
  opened: {
    en: 'The page’s picture opens on weights set by hand. These were found by training, on a toy task:',
    zh: '本页的图以手工设定的参数开头；下面的参数是在玩具任务上训练出来的：',
  },
  all: { en: 'All trained models', zh: '全部训练好的模型' },
} satisfies Record<string, Localized>;
