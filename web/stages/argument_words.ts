/** What inputs and params are called on the page: their own names, with dots, are those of the package's API. */
import * as texts from '../../build/generated/texts/argument_names.ts';
import { fill, type Localized } from '../shell/localized.ts';

type Words = Readonly<Record<string, Localized>>;
export type ArgumentKind = 'inputs' | 'params' | 'options';

const INPUTS: Words = texts.inputs;
/** A part of a name before a dot: a layer, or a network of several arrays. */
const GROUPS: Words = texts.groups;
const ARRAYS: Words = texts.arrays;

/** A part of a name that a number follows. */
const COUNTED: Readonly<Record<string, (n: number) => Localized>> = {
  blocks: (n) => fill(texts.counted.blocks, { n: n + 1 }),
  layers: (n) => fill(texts.counted.layers, { n: n + 1 }),
  ngram: (n) => fill(texts.counted.ngram, { n }),
};

/** Arrays of recurrent cells, as PyTorch names them; `_reverse` for the direction from the end. */
const CELLS: readonly (readonly [name: RegExp, Localized])[] = [
  [/^weight_ih_l\d+$/, texts.cells.input],
  [/^weight_ih_l\d+_reverse$/, texts.cells.inputBackward],
  [/^weight_hh_l\d+$/, texts.cells.state],
  [/^weight_hh_l\d+_reverse$/, texts.cells.stateBackward],
  [/^bias_[ih]h_l\d+$/, texts.cells.bias],
  [/^bias_[ih]h_l\d+_reverse$/, texts.cells.biasBackward],
  // The others are letters of the formula, which stand beside the words.
  [/^b/, texts.cells.bias],
  [/^[a-z]/, texts.cells.vector],
  [/^[A-Z]/, texts.cells.matrix],
];

/** An array among a mechanism's arguments in words: "encoder, layer 1, self-attention, output projection, weight matrix". */
export function argumentName(name: string, kind: ArgumentKind): Localized {
  const parts = name.split('.');
  const words = parts.flatMap((part, i): Localized[] => {
    if (/^\d+$/.test(part)) return [];
    const next = parts[i + 1];
    const counted = COUNTED[part];
    if (counted && next !== undefined) return [counted(Number(next))];
    if (next !== undefined) return [GROUPS[part] ?? { en: part, zh: part }];
    return [
      (kind === 'inputs' ? INPUTS[part] : undefined) ?? ARRAYS[part] ?? CELLS.find(([pattern]) => pattern.test(part))![1],
    ];
  });
  return { en: words.map(({ en }) => en).join(', '), zh: words.map(({ zh }) => zh).join('，') };
}
