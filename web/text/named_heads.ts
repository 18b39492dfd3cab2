import { POSITION_WIDTH } from './positions.ts';
import type { Projection } from './projections.ts';
import { ask, fixedPlace, select, turnedPosition } from './projections.ts';
import type { Axis } from './vectors.ts';

/** Heads written by hand, each named after what it looks for. */

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
