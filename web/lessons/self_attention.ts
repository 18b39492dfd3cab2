import type { Projection } from '../lib/heads.ts';
import { ask, fixedPlace, select, turnedPosition } from '../lib/heads.ts';
import type { Matrix } from '../lib/matrix.ts';
import { fromRows } from '../lib/matrix.ts';
import { POSITION_WIDTH } from '../lib/positions.ts';
import type { Splitting } from '../lib/tokens.ts';
import type { Axis } from '../lib/vectors.ts';

/** The room "Self-attention": what it opens with. Everything here is set by hand; nothing is trained or random. */

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

export const HEADS = ['same', 'previous', 'next', 'first', 'nearby', 'pronoun'] as const;
export type HeadName = (typeof HEADS)[number];

export interface Head {
  readonly q: Projection;
  readonly k: Projection;
  readonly v: Projection;
}

/** How far the wanted key's scaled logit lies above the others'. 10 leaves e^-10 for each of them. */
const SHARPNESS = 10;

/**
 * A named head as exact matrices over the readable vectors. The scores are divided by √d like everybody's, so each Wq carries
 * a factor √d: after scaling, the logits are SHARPNESS times what the head looks for.
 */
export function head(name: HeadName, axes: readonly Axis[]): Head {
  const position = (axis: Axis): boolean => axis.kind === 'position';
  const byPosition = SHARPNESS * Math.sqrt(POSITION_WIDTH);
  const k = select(axes, position);
  const v = select(axes, (axis) => axis.kind === 'identity' || axis.kind === 'feature');
  switch (name) {
    case 'same': {
      const identity = (axis: Axis): boolean => axis.kind === 'identity';
      const width = axes.filter(identity).length;
      return { q: select(axes, identity, SHARPNESS * Math.sqrt(width)), k: select(axes, identity), v };
    }
    case 'previous': // logits 10·Σ cos((i − 1 − j)·ω)
      return { q: turnedPosition(axes, -1, byPosition), k, v };
    case 'next':
      return { q: turnedPosition(axes, +1, byPosition), k, v };
    case 'first':
      return { q: fixedPlace(axes, 0, byPosition), k, v };
    case 'nearby': // a tenth as sharp: the neighbors share
      return { q: turnedPosition(axes, 0, byPosition / 10), k, v };
    case 'pronoun': {
      // A pronoun asks for "animate" and for "noun"; other words ask for nothing, so their rows are uniform.
      const wanted = ['noun', 'animate'] as const;
      const wants = (axis: Axis): boolean => axis.kind === 'feature' && wanted.some((feature) => feature === axis.feature);
      return { q: ask(axes, 'pronoun', wanted, SHARPNESS * Math.sqrt(wanted.length)), k: select(axes, wants), v };
    }
  }
}

export interface Preset {
  readonly text: string;
  readonly head: HeadName;
  readonly splitting: Splitting;
  /** The token whose row is worth reading first. */
  readonly look: string;
}

export const PRESETS: readonly Preset[] = [
  { text: '猫追老鼠，因为它饿了', head: 'pronoun', splitting: 'word', look: '它' },
  { text: 'the cat chased the mouse because it was hungry', head: 'pronoun', splitting: 'word', look: 'it' },
  { text: 'I saw a saw', head: 'previous', splitting: 'word', look: 'saw' },
  { text: '吃葡萄不吐葡萄皮', head: 'same', splitting: 'word', look: '葡萄' },
];
