import type { HeadName } from '../../../../text/named_heads.ts';
import type { Feature } from '../../../../text/words.ts';
import type { MatrixId } from '../model/matrices.ts';
import { gloss } from '../../../../shell/gloss.ts';
import { linearEn } from './linear_en.ts';
import { patternEn } from './pattern_en.ts';

export interface StageText {
  readonly title: string;
  readonly body: string;
}

export const en = {
  roomTitle: 'Self-attention, number by number',
  lede: 'Each token compares its query with every key, turns the scores into weights, and takes the weighted sum of the values. Choose any number below and follow it to where it comes from.',
  input: 'Input',
  inputs: { example: 'Worked example', text: 'Your text' },
  controls: 'Controls',
  scale: 'Scale',
  scaleOne: '1',
  scaleOneName: 'scale 1, unscaled',
  scaleRootName: 'scale one over the square root of d',
  causal: 'Causal mask',
  causalHint: 'A token sees itself and what stands before it.',
  positions: 'Positions',
  digits: 'All digits',
  head: 'Head',
  heads: {
    same: 'same word',
    previous: 'previous',
    next: 'next',
    first: 'first',
    nearby: 'nearby',
    pronoun: 'pronoun → animate noun',
  } satisfies Record<HeadName, string>,
  headNotes: {
    same: 'Query and key are the identity axes: a token finds every copy of itself.',
    previous:
      'The query is the position turned back by one step. The first token has no previous one; its query falls nearest to itself.',
    next: 'The query is the position turned forward by one step. The last token has no next one.',
    first: 'Every query carries the position of the first token, through the axis that is always 1.',
    nearby: 'Query and key are the position itself, a tenth as sharp: neighbors share the weight.',
    pronoun: 'A pronoun asks for noun and for animate. All other tokens ask for nothing, so their weights are uniform.',
  } satisfies Record<HeadName, string>,
  noPronoun: 'There is no listed pronoun in this text, so every row is uniform.',
  positionsOffNote: 'Positions are off: heads that look for a position find none, and equal words get exactly equal outputs.',

  textLabel: 'Your text, English or Chinese',
  textPlaceholder: 'Type a sentence…',
  presets: 'Try',
  splitting: 'Split by',
  byWord: 'words',
  byCharacter: 'characters',
  emptyText: 'There is nothing to attend to yet. Type a few words, or take one of the sentences.',
  tooLong: (drawn: number, total: number) =>
    `This text has ${total} tokens. The first ${drawn} are drawn; beyond that the cells become too small to point at on this screen.`,
  longText: 'A text of up to 2,000 words has a page of its own.',
  unlisted: (words: string) => `Not in the small built-in word list: ${words}. They have identity and position only.`,
  allListed: 'All words are in the small built-in list.',
  sentenceHint: 'Choose a token to read where it looks.',
  merge: 'Merge with the next (M)',
  split: 'Split (S)',
  looksAt: (query: string) => `${query} looks at`,
  repeated: (word: string, places: string) => `“${word}” stands at positions ${places}.`,
  outputsEqual: 'Their outputs are exactly equal.',
  outputsDiffer: (by: string) => `Their outputs differ, by up to ${by}.`,

  stages: {
    example: {
      title: 'Input',
      body: 'Three tokens a₁, a₂, a₃, each a vector of width 4. These are the numbers of the worked example; change any of them and everything below follows.',
    },
    vectors: {
      title: 'Tokens become vectors',
      body: 'Every axis can be read: which word it is, what the word list says about it, where it stands (sinusoids of growing wavelength), and a constant 1.',
    },
    projections: {
      title: 'Queries, keys, values',
      body: 'Three matrices turn each input into what it asks for (query), what it offers to be found by (key), and what it hands over (value).',
    },
    projectionsHead: {
      title: 'Queries, keys, values',
      body: 'The head is these three matrices, written by hand. A component of q or k is named after the axis it is meant to meet.',
    },
    scores: { title: 'Scores', body: 'The dot product of each query with each key: large where they point the same way.' },
    scaledOff: {
      title: 'Scale 1',
      body: 'The text this example comes from leaves the scores unscaled, to keep the numbers whole. Switch to 1/√d to see what the formula of its own code gives.',
    },
    scaledOffText: { title: 'Scale 1', body: 'Unscaled: the scores go into softmax as they are.' },
    scaledOn: { title: 'Scaled scores', body: 'Divided by √d, so that wide vectors do not push softmax to its ends.' },
    masked: {
      title: 'Causal mask',
      body: 'A token sees itself and what stands before it. The other pairs get the score −∞, and so weight 0.',
    },
    weights: { title: 'Weights', body: 'Softmax makes each query’s scores positive and lets them sum to 1.' },
    output: { title: 'Output', body: 'Each query takes the weighted sum of the values.' },
  } satisfies Record<string, StageText>,
  sumsToOne: { rows: 'each row sums to 1', columns: 'each column sums to 1' },
  sumsMark: 'sums to 1',

  pattern: patternEn,
  linear: linearEn,
  matrices: {
    X: 'input',
    Wq: 'query weights',
    Wk: 'key weights',
    Wv: 'value weights',
    Q: 'queries',
    K: 'keys',
    V: 'values',
    scores: 'score',
    scaled: 'scaled score',
    masked: 'masked score',
    weights: 'weight',
    pattern: 'pattern',
    dense: 'dense weight',
    output: 'output',
    ...linearEn.matrices,
  } satisfies Record<MatrixId, string>,
  axisTitles: {
    token: `token${gloss('词元')}`,
    axis: `axis${gloss('轴')}`,
    query: `query${gloss('查询')}`,
    key: `key${gloss('键')}`,
    value: `value${gloss('值')}`,
    component: `component${gloss('分量')}`,
  },
  features: {
    noun: 'noun',
    verb: 'verb',
    adjective: 'adjective',
    pronoun: 'pronoun',
    animate: 'animate',
    function: 'function word',
    positive: 'positive',
    negative: 'negative',
  } satisfies Record<Feature, string>,
  constantAxis: 'constant 1',
  axisNotes: {
    identity: (word: string) => `1 where the token is “${word}”, 0 elsewhere.`,
    feature: (feature: string) => `1 where the word list says “${feature}”.`,
    position: (label: string) => `Where the token stands: ${label}, with t counted from 0.`,
    constant: 'Always 1: through it a head can ask the same of every token.',
  },
  blocks: { identity: 'identity', feature: 'features', position: 'position', constant: '1' },

  pairReading: (query: string, key: string, what: string, value: string) => `query ${query}, key ${key}: ${what} ${value}`,
  cellReading: (matrix: string, row: string, col: string, value: string) => `${matrix}, ${row}, ${col}: ${value}`,
  maskStepBody: 'This key stands after the query. The causal mask sets its score to −∞.',
  givenHand: 'Set by hand: nothing comes before it.',
  givenYours: 'Your own number: nothing comes before it.',
  resetExample: 'Back to the example’s numbers',

  textbook: 'Your textbook writes …',
  textbookNotes: [
    [
      'Columns instead of rows',
      'Some books stack tokens as columns and write V·softmax(KᵀQ/√D); others stack rows and write softmax(QKᵀ/√d)V. It is the same computation, transposed. The notation switch turns everything on this page.',
    ],
    ['W_b for the values', 'A misprint for W_v: the values are V = XW_v.'],
    ['α and α′ both printed α', 'α is the score, before softmax; α′ is the weight, after it.'],
    [
      'Weights given as 0, ½, ½',
      'The example’s first row rounded. In full it is 0.0634, 0.4683, 0.4683; the switch “All digits” shows every digit.',
    ],
    [
      'An unscaled example beside scaled code',
      'The worked numbers use scale 1, the code divides by √d. With 1/√3 the first row is 0.1361, 0.4319, 0.4319.',
    ],
    [
      'Several queries called multi-head',
      'A head has its own W_q, W_k and W_v, and W_o joins the heads. More queries alone are not more heads.',
    ],
  ] as readonly (readonly [string, string])[],

  computeFailed: 'This could not be computed',
};

export type RoomMessages = typeof en;
