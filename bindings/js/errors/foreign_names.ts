/** Option names of PyTorch, Hugging Face, ONNX and FlashAttention, and what fovea has in their place. */

/** Names without underscores in lower case, what to do, and the option that the function must have for it. */
const FOREIGN: readonly (readonly [names: string, remedy: string, option?: string])[] = [
  [
    'attnmask attentionmask keypaddingmask attnbias',
    'use mask, true = attend, and reshape padding [B, T] to [B, 1, 1, T] or use keyLengths',
    'mask',
  ],
  ['iscausal', 'use causal', 'causal'],
  ['needweights outputattentions', 'use returnWeights', 'returnWeights'],
  ['softmaxscale scalefactor', 'use scale', 'scale'],
  ['numheads numattentionheads qnumheads', 'use heads', 'heads'],
  ['numkvheads kvnumheads numkeyvalueheads', 'use kvHeads', 'kvHeads'],
  ['enablegqa', 'leave it out, k and v may have fewer heads'],
  ['dropoutp dropout', 'leave it out, there is no dropout'],
  ['pastkeyvalues pastkey pastvalue', 'use kvCache of fovea/cache'],
  ['inprojweight inprojbias', 'use MultiHeadAttention of fovea/nn'],
];

/** Gives the text to write in place of a name of another library; undefined where this function can mean none. */
export function translate(name: string, names: readonly string[]): string | undefined {
  const plain = name.toLowerCase().replaceAll('_', '');
  return FOREIGN.find(
    ([foreign, , option]) => foreign.split(' ').includes(plain) && (option === undefined || names.includes(option)),
  )?.[1];
}
