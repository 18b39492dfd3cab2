import type { Localized } from '../../shell/localized.ts';
import type { Matrix } from '../../figures/matrix.ts';
import { fromRows } from '../../figures/matrix.ts';
import type { HeadName } from '../../text/named_heads.ts';
import type { Splitting } from '../../text/tokens.ts';

/** The worked example and the sentences of self-attention. Everything here is set by hand; nothing is trained or random. */

/** The example worked out with numbers in source 004, which leaves the scores unscaled. */
export interface Example {
  readonly X: Matrix;
  readonly Wq: Matrix;
  readonly Wk: Matrix;
  readonly Wv: Matrix;
}

export const EXAMPLE: Example = {
  X: fromRows([
    [1, 0, 1, 0],
    [0, 2, 0, 2],
    [1, 1, 1, 1],
  ]),
  Wq: fromRows([
    [1, 0, 1],
    [1, 0, 0],
    [0, 0, 1],
    [0, 1, 1],
  ]),
  Wk: fromRows([
    [0, 0, 1],
    [1, 1, 0],
    [0, 1, 0],
    [1, 1, 0],
  ]),
  Wv: fromRows([
    [0, 2, 0],
    [0, 3, 0],
    [1, 0, 3],
    [1, 1, 0],
  ]),
};

export interface Preset {
  readonly text: string;
  readonly head: HeadName;
  readonly splitting: Splitting;
  /** The token whose row is worth reading first. */
  readonly look: string;
}

export const PRESETS: Localized<readonly Preset[]> = {
  en: [
    { text: 'the cat chased the mouse because it was hungry', head: 'pronoun', splitting: 'word', look: 'it' },
    { text: 'I saw a saw', head: 'previous', splitting: 'word', look: 'saw' },
  ],
  zh: [
    { text: '猫追老鼠，因为它饿了', head: 'pronoun', splitting: 'word', look: '它' },
    { text: '吃葡萄不吐葡萄皮', head: 'same', splitting: 'word', look: '葡萄' },
  ],
};
