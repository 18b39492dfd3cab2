/** The option `bias`: the interface of a bias that fovea/score makes, for the attention functions. */
import { describe, fail } from '../../errors/errors.ts';
import { isList } from '../../errors/options.ts';
import { internalsOf } from '../../runtime/internals.ts';
import type { Sizes } from './layout.ts';
import type { Program } from './pattern_source.ts';
import type { Tables } from './tables.ts';

/** The sum of a call's biases, and the call that they are read for. */
export interface Biases extends Tables {
  readonly sizes: Sizes;
  readonly offsets: Int32Array | null;
  readonly pattern: Program | null;
  /** [H], those of ALiBi and of distances together; null where there are none. */
  slopes: Float32Array | null;
  /** 0 both, 1 forward, 2 backward. */
  direction: number;
  /** Whether the edges of the pattern's graph have values. */
  hasEdges: boolean;
  /** LaTeX of what is added. */
  terms: string;
}

export interface BiasSource {
  /** The name of its builder. */
  readonly kind: string;
  /** Its builder's arguments: a worker makes it anew of them. */
  readonly args: readonly unknown[];
  /** Reads its arrays for the call and adds it; throws where they do not fit. */
  addTo(biases: Biases): void;
}

/** Adds the biases of the option, one or an array of them. */
export function addBiases(to: Biases, given: unknown): void {
  const kinds: string[] = [];
  for (const one of isList(given) ? given : [given]) {
    const source = internalsOf<BiasSource>(to.fn, one, 'bias');
    if (source === undefined)
      return fail(
        'option',
        to.fn,
        `bias must be what fovea/score makes by bias.alibi, distance, relative, t5, gaussian, direction, edges or fromFunction, got ${describe(one)}`,
      );
    const { kind } = source;
    if (kinds.includes(kind) && kind !== 'alibi') fail('option', to.fn, `bias.${kind} must be given once, got it twice`);
    kinds.push(kind);
    source.addTo(to);
  }
}
