import type { Field, PartKind } from '../model/patterns.ts';

/** Sparse attention, in English. */
export const patternEn = {
  attention: 'Attention',
  dense: 'dense',
  sparse: 'sparse',
  summary: (kept: number, all: number) => `${kept} of ${all} pairs`,
  summaryName: (kept: number, all: number) => `Go to the pattern: ${kept} of ${all} pairs are kept`,

  way: 'Pattern',
  ways: { parts: 'choose', paint: 'paint' },
  parts: {
    local: 'local window',
    atrous: 'atrous (dilated)',
    sparse: 'sparse: local or atrous',
    causal: 'causal',
    truncated: 'truncated',
    strided: 'Sparse Transformer, strided',
    fixed: 'Sparse Transformer, fixed',
    longformer: 'Longformer',
    bigBird: 'BigBird',
    block: 'blocks',
    global: 'global tokens',
  } satisfies Record<PartKind, string>,
  notes: {
    local: 'Keys at most so many places away, on each side.',
    atrous: 'Keys whose distance is a multiple of this number, 0 among them.',
    sparse: 'Sparse self-attention: keys at most so many places away, and those at every multiple of it.',
    causal: 'The query’s own place and those before it.',
    truncated: 'The query’s own place, so many before it and so many after it.',
    strided: 'As many places back as the stride, and every multiple of it farther back; none after the query.',
    fixed: 'The query’s own stretch of one stride, and the last places of every stretch; none after the query.',
    longformer: 'A window, half of it on each side, and the first tokens global: they see all keys, and all queries see them.',
    bigBird: 'A window of three blocks, the first block global, and blocks drawn at random.',
    block: 'Keys in the query’s own block.',
    global: 'These tokens see all keys, and all queries see them.',
  } satisfies Record<PartKind, string>,
  fields: {
    reach: 'each side',
    left: 'before',
    right: 'after',
    every: 'every',
    stride: 'stride',
    last: 'last',
    window: 'window',
    global: 'global',
    block: 'block of',
    random: 'random',
    seed: 'seed',
    from: 'from token',
    count: 'how many',
  } satisfies Record<Field['name'], string>,
  part: (n: number) => `Part ${n}`,
  kind: 'Kind',
  not: 'not',
  joint: 'Joined by',
  joints: { or: 'or', and: 'and' },
  add: 'Add a part',
  remove: (what: string) => `Take away: ${what}`,

  paintHelp: 'Click or drag over the grid to keep pairs or leave them out.',
  keepAll: 'keep all',
  keepNone: 'keep none',
  asChosen: 'as chosen',
  painted: 'painted',

  counts: (kept: number, all: number, density: string) => `${kept} of ${all} pairs kept, density ${density}.`,
  withCausal: (allowed: number) => `With the causal mask ${allowed}.`,
  noneEmpty: 'Every query keeps at least one key.',
  someEmpty: (queries: string, several: boolean) =>
    several
      ? `${queries} keep no key: all their scores are −∞, so all their weights are 0 and their outputs are 0, not an average.`
      : `${queries} keeps no key: all its scores are −∞, so all its weights are 0 and its output is 0, not an average.`,
  random: (seed: number) => `random by definition, seed ${seed}`,

  kept: 'kept',
  leftOut: 'left out',
  reading: (query: string, key: string, kept: boolean) => `query 查询 ${query}, key 键 ${key}: ${kept ? 'kept' : 'left out'}`,
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
    '注意力设为0 (“attention set to 0”) outside the window',
    'Weight 0, that is score −∞. With score 0 the key would keep a share, as e⁰ = 1.',
  ] as readonly [string, string],
};
