/** The program of a pattern: made once, or anew for the pairs of a call where functions are asked about them. */
import type { PairSizes, PatternSource, Program } from '../programs.ts';
import { encode, fitsOf, type Node } from './nodes.ts';

export function sourceOf(node: Node): PatternSource {
  const { resolve } = node;
  let known: { readonly key: string; readonly program: Program } | null = null;
  return {
    program(fn, sizes) {
      const key = resolve === null ? '' : keyOf(sizes);
      if (known?.key !== key) known = { key, program: programOf(resolve?.(fn, sizes) ?? node) };
      return known.program;
    },
  };
}

function programOf(node: Node): Program {
  const { perHead, perBatch, hasBias } = node;
  return { words: encode(node), perHead, perBatch, hasBias, fits: fitsOf(node) };
}

function keyOf({ batch, heads, queries, keys, offsets }: PairSizes): string {
  return [batch, heads, queries, keys, ...(offsets ?? [])].join();
}
