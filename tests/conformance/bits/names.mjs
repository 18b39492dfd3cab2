/**
 * The one place that knows under which names a package has its functions. A name that is sought is listed with every name that a
 * build of the package may have for it, the newest first; the first that is there is used. So a file written from one build
 * can be compared with a build in which a function has another name.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Functions and classes: 'ENTRY#EXPORT'. */
const FUNCTIONS = {
  ...inEntries(
    ['ops'],
    [
      'softmax',
      'logSoftmax',
      'logSumExp',
      'matmul',
      'linear',
      'add',
      'layerNorm',
      'rmsNorm',
      'relu',
      'gelu',
      'geluTanh',
      'quickGelu',
      'silu',
    ],
    [
      'elu',
      'leakyRelu',
      'tanh',
      'sigmoid',
      'glu',
      'geglu',
      'swiglu',
      'reglu',
      'conv1d',
      'maxPool',
      'meanPool',
      'rnn',
      'gru',
      'lstm',
    ],
  ),
  ...inEntries(
    ['linear-attention', 'linear'],
    ['linearAttention', 'linearState', 'linearStateFrom', 'linformer', 'approximation', 'favorProjection'],
  ),
  ...inEntries(
    ['nn', 'modules'],
    ['Linear', 'LayerNorm', 'RMSNorm', 'FeedForward', 'Conv1d', 'Conv1dGLU', 'Residual', 'RNN', 'GRU', 'LSTM'],
    ['MultiHeadAttention', 'SelfAttention', 'TransformerEncoderLayer', 'TransformerEncoder'],
    ['TransformerDecoderLayer', 'TransformerDecoder'],
  ),
  ...inEntries(['score'], ['score', 'multiDimensionalAttention']),
  ...inEntries(['cache'], ['kvCache']),
  ...inEntries(['pattern'], ['pattern']),
  bias: ['score#bias', 'position#bias'],
  rotary: ['position#rotaryEmbedding', 'position#rotary'],
  sinusoidal: ['position#sinusoidalPositions', 'position#sinusoidal'],
  learned: ['position#learnedPositions', 'position#learned'],
  recurrent: ['position#recurrentPositions', 'position#recurrent'],
};

/** Members of what the functions return. */
const MEMBERS = {
  neighbors2d: ['neighbors2d', 'neighbours2d'],
  clone: ['clone', 'fork'],
  clear: ['clear', 'reset'],
  length: ['length', 'tokens'],
  visibleLength: ['visibleLength', 'kept'],
};

/**
 * Options that a later build knows under another name: { FUNCTION: { older: newer } }, or { older: (value, options) => ({ newer: … }) }
 * where the value differs, too. A call whose option the package refuses with an `option` error is made again with newer names.
 */
const RENAMED_OPTIONS = {
  attention: { normalize: toNormalizer },
  selfAttention: { normalize: toNormalizer },
  multiHeadAttention: { normalize: toNormalizer },
  linearState: { heads: (heads, { kvHeads = heads }) => ({ kvHeads }) },
  kvCache: {
    heads: 'kvHeads',
    keepFirst: 'sinkTokens',
    store: (store) => ({ dtype: store === 'f16' ? 'float16' : 'float32' }),
  },
  sinusoidal: { form: (form) => ({ form: form === 'halves' ? 'splitHalf' : form }) },
  rotary: { form: (form) => ({ interleaved: form === 'interleaved' }) },
  MultiHeadAttention: { averageWeights: 'averageAttnWeights' },
};

/** The builders of normalizers of the package that is open. */
let builders = {};

function toNormalizer(normalize) {
  if (!isPlainObject(normalize)) return { normalizer: normalize === 'hard' ? 'argmax' : normalize };
  const { kind, k, ...parameters } = normalize;
  const make = builders[kind === 'hard' ? 'argmax' : kind];
  return { normalizer: make === undefined ? normalize : make(k ?? parameters) };
}

function inEntries(entries, ...names) {
  return Object.fromEntries(names.flat().map((name) => [name, entries.map((entry) => `${entry}#${name}`)]));
}

/** The package in `folder`: what its entries export, by the names of FUNCTIONS. */
export async function openPackage(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const open = async (entry) => {
    const { node, default: other } = exports[entry] ?? {};
    const file = node ?? other;
    return file === undefined ? {} : import(pathToFileURL(join(folder, file)).href);
  };
  const found = { ...(await open('.')) };
  for (const [name, places] of Object.entries(FUNCTIONS)) {
    for (const place of places) {
      const [entry, exported] = place.split('#');
      found[name] ??= (await open(`./${entry}`))[exported];
    }
    if (found[name] === undefined) throw new Error(`${folder} has none of ${places.join(', ')}: name the new one in names.mjs`);
  }
  builders = (await open('./score')).normalizer ?? {};
  return found;
}

/** A member of an object under the first of its names that is there; methods come bound. */
export function member(object, name) {
  const own = (MEMBERS[name] ?? [name]).find((candidate) => candidate in object);
  if (own === undefined) throw new Error(`no member ${name}: name the new one in names.mjs`);
  return typeof object[own] === 'function' ? object[own].bind(object) : object[own];
}

/** `call(args)`; where the package refuses an option, the first call with newer names that it takes. */
export function withOptionNames(fn, call, args) {
  try {
    return call(args);
  } catch (error) {
    if (error?.code !== 'option') throw error;
    for (const renamed of renamings(args, Object.entries(RENAMED_OPTIONS[fn] ?? {}))) {
      try {
        return call(renamed);
      } catch (another) {
        if (another?.code !== 'option') throw another;
      }
    }
    throw error;
  }
}

/** The arguments with each choice of their options under the newer names. */
function renamings(args, names) {
  const options = args.findLast(isPlainObject) ?? {};
  const present = names.filter(([older]) => older in options);
  return Array.from({ length: 2 ** present.length - 1 }, (_, choice) => {
    const chosen = Object.fromEntries(present.filter((_name, bit) => ((choice + 1) >> bit) & 1));
    const renamed = Object.entries(options).flatMap(([name, value]) => {
      const newer = chosen[name] ?? name;
      return typeof newer === 'function' ? Object.entries(newer(value, options)) : [[newer, value]];
    });
    return args.map((arg) => (arg === options ? Object.fromEntries(renamed) : arg));
  });
}

export function isPlainObject(value) {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
