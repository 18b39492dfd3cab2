/** Sparse attention, in English. */
export const patternEn = {
  attention: 'Attention',
  dense: 'dense',
  sparse: 'sparse',
  summary: (kept: number, all: number) => `${kept} of ${all} pairs`,
  summaryName: (kept: number, all: number) => `Go to the pattern: ${kept} of ${all} pairs are kept`,

  way: 'Pattern',
  ways: { parts: 'choose', paint: 'paint' },

  painted: 'painted',

  counts: (kept: number, all: number, density: string) => `${kept} of ${all} pairs kept, density ${density}.`,
  withCausal: (allowed: number) => `With the causal mask ${allowed}.`,
  noneEmpty: 'Every query keeps at least one key.',
  someEmpty: (queries: string, several: boolean) =>
    several
      ? `${queries} keep no key: all their scores are −∞, so all their weights are 0 and their outputs are 0, not an average.`
      : `${queries} keeps no key: all its scores are −∞, so all its weights are 0 and its output is 0, not an average.`,

  kept: 'kept',
  leftOut: 'left out',
  reading: (query: string, key: string, kept: boolean) => `query ${query}, key ${key}: ${kept ? 'kept' : 'left out'}`,
  sumsMark: 'sums to 1 or 0',
  emptySum: 'no key is kept',
  keptStep: 'The pattern keeps this pair: its score goes on.',
  leftOutStep: 'The pattern leaves this pair out: its score becomes −∞, and so its weight 0.',
  emptyStep: 'This query keeps no key. There is nothing to share out: all of its weights are 0, and its output is 0.',

  stage: {
    title: 'Pattern',
    body: 'Only the kept pairs are computed. The others count as score −∞, and so weight\u00a00. A score of 0 would not do: e⁰\u00a0=\u00a01 takes a share.',
  },
  weightsStage: {
    title: 'Weights',
    body: 'Softmax over the kept keys alone: they share the 1 among themselves. Below, the dense weights of the same input.',
  },
  denseBeside: 'Dense, for comparison',
  textbookNote: [
    'Attention “set to 0” outside the window',
    'Weight 0, that is score −∞. With score 0 the key would keep a share, as e⁰ = 1.',
  ] as readonly [string, string],
};
