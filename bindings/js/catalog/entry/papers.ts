/** Papers that several entries come from. */
import type { Localized, Paper } from './entry.ts';

export const luong2015: Paper = {
  authors: 'Luong, Pham, Manning',
  title: 'Effective Approaches to Attention-based Neural Machine Translation',
  year: 2015,
  url: 'https://arxiv.org/abs/1508.04025',
};

export const showAttendTell: Paper = {
  authors: 'Xu, Ba, Kiros, Cho, Courville, Salakhutdinov, Zemel, Bengio',
  title: 'Show, Attend and Tell: Neural Image Caption Generation with Visual Attention',
  year: 2015,
  url: 'https://arxiv.org/abs/1502.03044',
};

export const vaswani2017: Paper = {
  authors: 'Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez, Kaiser, Polosukhin',
  title: 'Attention Is All You Need',
  year: 2017,
  url: 'https://arxiv.org/abs/1706.03762',
};

export const katharopoulos2020: Paper = {
  authors: 'Katharopoulos, Vyas, Pappas, Fleuret',
  title: 'Transformers are RNNs: Fast Autoregressive Transformers with Linear Attention',
  year: 2020,
  url: 'https://arxiv.org/abs/2006.16236',
};

export const daniluk2017: Paper = {
  authors: 'Daniluk, Rocktäschel, Welbl, Riedel',
  title: 'Frustratingly Short Attention Spans in Neural Language Modeling',
  year: 2017,
  url: 'https://arxiv.org/abs/1702.04521',
};

/** Texts that learners come from, and whose notation differs. */
export const texts = {
  survey: { en: 'A survey of attention in NLP', zh: 'NLP中的注意力机制总结' },
  notes: { en: 'Notes on the formulas of attention', zh: '注意力机制的数学公式梳理' },
  chapter: { en: 'A chapter on self-attention', zh: '第 6 章 自注意力机制' },
  steps: { en: 'How attention is implemented', zh: '注意力機制的實現' },
  example: { en: 'Self-attention worked out by hand, with code', zh: 'Self-Attention的学习记录以及代码' },
} satisfies Record<string, Localized>;

/** Two texts that write the same. */
export const both = (first: Localized, second: Localized): Localized => ({
  en: `${first.en}; ${second.en}`,
  zh: `${first.zh}；${second.zh}`,
});
