/** Where it is argued what weights explain: Attention is not Explanation; Attention is not not Explanation. */
export const papers = [
  { name: 'arXiv:1902.10186', url: 'https://arxiv.org/abs/1902.10186' },
  { name: 'arXiv:1908.04626', url: 'https://arxiv.org/abs/1908.04626' },
] as const;

/** The scale that scores are multiplied by; undefined is that of the dot product. */
export const scaleText = (scale: unknown): string => (scale === undefined ? '1/√d' : String(scale));
