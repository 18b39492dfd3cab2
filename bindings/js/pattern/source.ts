/** The program of a pattern: made once, or anew for the pairs of a call where functions are asked about them. */
import type { PairSizes, PatternSource, Program } from '../attention/options/pattern_source.ts';
import { sizesOfArguments } from './argument_sizes.ts';
import { checkSizes } from './size_constraints.ts';
import { edgesOf, encode, constraintsOf, type Node } from './nodes.ts';
import { planTable } from './plan_table.ts';

const NO_SIZES: PairSizes = { batch: 1, heads: 1, queries: 0, keys: 0, offsets: null };

export function sourceOf(node: Node): PatternSource {
  const { resolve } = node;
  let known: { readonly key: string; readonly program: Program } | null = null;
  const programFor = (fn: string, sizes: PairSizes): Program => {
    const key = resolve === null ? '' : keyOf(sizes);
    if (known?.key !== key) known = { key, program: programOf(resolve?.(fn, sizes) ?? node) };
    return known.program;
  };
  return {
    program(fn, sizes) {
      const program = programFor(fn, sizes);
      checkSizes(fn, program.sizeConstraints, sizes);
      return program;
    },
    planTable,
    programOf: (fn, args) => programFor(fn, resolve === null ? NO_SIZES : sizesOfArguments(args)),
  };
}

function programOf(node: Node): Program {
  const { perHead, perBatch, hasBias } = node;
  return { words: encode(node), perHead, perBatch, hasBias, edges: edgesOf(node), sizeConstraints: constraintsOf(node) };
}

function keyOf({ batch, heads, queries, keys, offsets }: PairSizes): string {
  return [batch, heads, queries, keys, ...(offsets ?? [])].join();
}
