/** Papers that several entries come from. */
import type { Paper } from './entry.ts';

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
  survey: 'A survey of attention in NLP (NLP中的注意力机制总结)',
  notes: '注意力机制的数学公式梳理',
  chapter: '第 6 章 自注意力机制',
  steps: '注意力機制的實現',
  example: 'Self-Attention的学习记录以及代码',
} as const;
