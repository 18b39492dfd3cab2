/** Option names of PyTorch, Hugging Face, ONNX and FlashAttention, and what fovea has in their place. */

/** Names without underscores in lower case, what to do, and the name that must be known for it. */
export type ForeignNames = readonly (readonly [names: string, remedy: string, known?: string])[];

const OPTIONS: ForeignNames = [
  [
    'attnmask attentionmask attnbias',
    'use mask, true = attend, and reshape padding [B, T] to [B, 1, 1, T] or use keyLengths',
    'mask',
  ],
  [
    'keypaddingmask',
    'use mask, which is its inverse: true = attend, and reshape padding [B, T] to [B, 1, 1, T] or use keyLengths',
    'mask',
  ],
  ['attentionmask', 'use keyPaddingMask, which is its inverse: true = ignore the key', 'keyPaddingMask'],
  ['iscausal', 'use causal', 'causal'],
  ['needweights outputattentions', 'use returnWeights', 'returnWeights'],
  ['softmaxscale scalefactor', 'use scale', 'scale'],
  ['numattentionheads', 'use nHead', 'nHead'],
  ['hiddensize nembd', 'use dModel', 'dModel'],
  ['intermediatesize ninner', 'use dimFeedforward', 'dimFeedforward'],
  ['numhiddenlayers nlayer', 'use numLayers', 'numLayers'],
  ['hiddenact hiddenactivation activationfunction', 'use activation', 'activation'],
  ['numheads numattentionheads qnumheads', 'use heads', 'heads'],
  ['numkvheads kvnumheads numkeyvalueheads', 'use kvHeads', 'kvHeads'],
  ['enablegqa', 'leave it out, k and v may have fewer heads'],
  ['dropoutp dropout', 'leave it out, there is no dropout'],
  ['pastkeyvalues pastkey pastvalue', 'use kvCache of fovea/cache'],
  [
    'signal onprogress transfer',
    'pass it to the functions of connect() of fovea/worker: a call on this thread runs to its end',
  ],
  ['inprojweight inprojbias', 'use MultiHeadAttention of fovea/nn'],
];

/** Gives the text to write for an option's name of another library; undefined where this function can mean none. */
export function translate(name: string, names: readonly string[]): string | undefined {
  return findRemedy(OPTIONS, name, names);
}

/** The remedy of a name, in any case and with underscores or without. */
export function findRemedy(list: ForeignNames, name: string, known: readonly string[]): string | undefined {
  const plain = name.toLowerCase().replaceAll('_', '');
  return list.find(([foreign, , own]) => foreign.split(' ').includes(plain) && (own === undefined || known.includes(own)))?.[1];
}
