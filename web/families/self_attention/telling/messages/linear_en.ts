import { gloss } from '../../../../shell/gloss.ts';
import type { FAVOR_FIELDS, MapName } from '../model/feature_maps.ts';
import type { LinearId } from '../model/matrices.ts';

/** Linear attention, in English. */
export const linearEn = {
  linear: 'linear',
  goTo: 'Go to the feature map',

  map: 'Feature map',
  maps: {
    elu1: 'elu + 1',
    relu: 'relu',
    squaredRelu: 'relu, squared',
    exp: 'exp',
    softmax: 'softmax: Efficient Attention',
    favor: 'FAVOR+: random features',
    taylor: 'Taylor, second order',
  } satisfies Record<MapName, string>,
  notes: {
    elu1: 'x + 1 where x is positive, eˣ elsewhere: always above 0.',
    relu: 'x where x is positive, 0 elsewhere. Where all similarities are 0, the denominator is 0 too.',
    squaredRelu: 'The square of relu: large features count for more, so the weights are sharper.',
    exp: 'e to the power of each component. c is the square root of the scale; m keeps the numbers small and cancels.',
    softmax: 'Softmax over the components of each query, and over the tokens for each component of the keys.',
    favor:
      'Random features: on average, their product is softmax’s own e to the power of the scaled score. More features, less error; long queries and keys need many. c is the square root of the scale; m cancels.',
    taylor:
      'The product is 1 + x + x²/2 of the scaled score x: close to eˣ near 0, too small for large scores. c is the square root of the scale.',
  } satisfies Record<MapName, string>,
  needsAllKeys:
    'Efficient Attention looks at all keys at once, so it does not go with the causal mask. elu\u00a0+\u00a01 is shown instead.',
  fields: { features: 'features', seed: 'seed' } satisfies Record<keyof typeof FAVOR_FIELDS, string>,
  tooMany: (drawn: number, all: number) => `The first ${drawn} of ${all} features are drawn. The sums take all of them.`,
  axis: `feature${gloss('特征')}`,
  sumAxis: `sum${gloss('和')}`,

  matrices: {
    queryFeatures: 'query features',
    keyFeatures: 'key features',
    before: 'state before',
    state: 'state',
    normalizer: 'normalizer',
    numerator: 'numerator',
    denominator: 'denominator',
    similarity: 'similarity',
    exact: 'softmax weight',
    error: 'difference',
  } satisfies Record<LinearId, string>,

  stages: {
    features: {
      title: 'Features',
      body: 'A feature map φ is applied to each query and to each key. Their similarity is then the product of two features, with no softmax over pairs.',
    },
    state: {
      title: 'State',
      body: 'Keys and values are multiplied first. S and z hold all that the queries will read, and they stay as small however long the text.',
    },
    statePlain: {
      title: 'State',
      body: 'Keys and values are multiplied first. S holds all that the queries will read, and it stays as small however long the text.',
    },
    stateCausal: {
      title: 'State',
      body: 'Each token adds its features times its value to the state, and its features to z. The state never grows: it is a recurrent network’s.',
    },
    output: {
      title: 'Output',
      body: 'Each query reads the state: the numerator is φ(q)·S, the denominator φ(q)·z. No pair of query and key is ever formed.',
    },
    outputCausal: {
      title: 'Output',
      body: 'Each query reads the state after its own token: the numerator is φ(q)·S, the denominator φ(q)·z. No pair of query and key is ever formed.',
    },
    outputPlain: {
      title: 'Output',
      body: 'Each query reads the state. The features sum to 1 already, so nothing is divided. No pair of query and key is ever formed.',
    },
    weights: {
      title: 'The weights it stands for',
      body: 'Linear attention never forms them. These are the weights that would give the same output.',
    },
  },
  pronounNote:
    'A pronoun asks for noun and for animate. All other tokens ask for nothing: softmax would make their weights uniform, a feature map need not.',
  step: 'State after token',
  earlier: 'One token back',
  later: 'One token on',
  place: (n: number, all: number) => `${n} of ${all}`,
  readBy: (token: string) => `Read by the query of ${token}, from the state after it`,
  allQueries: 'All queries',
  beside: 'Beside the exact softmax weights',
  errorsOf: { weights: 'Of the weights', output: 'Of the output' },
  largest: 'largest error',
  relative: 'relative Frobenius error',
  at: (row: string, col: string) => `at ${row}, ${col}`,
  zero: (queries: string, several: boolean) =>
    `${queries}: all similarities are 0, and so ${several ? 'are the denominators' : 'is the denominator'}. There is nothing to share out, and 0 ÷ 0 is not a number (NaN).`,
  cost: (pairs: string, linear: string, tokens: number, features: number, from: string, divided: boolean) =>
    `For ${tokens} tokens and ${features} features, (QKᵀ)V takes ${pairs} multiplications and φ(Q)\u2060(φ(K)ᵀV)${divided ? ' with its denominators' : ''} ${linear}; the second takes fewer from ${from} tokens on.`,

  mapSteps: {
    elu1: (x: number) => (x > 0 ? 'x + 1, as x is positive' : 'eˣ, as x is not positive'),
    relu: (x: number) => (x > 0 ? 'x itself, as it is positive' : '0, as x is not positive'),
    squaredRelu: (x: number) => (x > 0 ? 'x², as x is positive' : '0, as x is not positive'),
    exp: () => 'e to the power of c·x − m',
  } as Readonly<Partial<Record<MapName, (x: number) => string>>>,
  unseenStep: 'This key stands after the query: it is not in the state yet, so its weight is 0.',
  startStep: 'Before the first token the state is 0.',
};
