import type { Fovea } from 'fovea';
import { softmax } from 'fovea/ops';
import type { Mechanism } from '../../stages/mechanism.svelte.ts';

/** The graph of a mechanism as its edges, and its weights as a matrix. */

/** [target, source], from 0. */
export type Edge = readonly [number, number];

export const edgesOf = ({ inputs }: Mechanism): readonly Edge[] => inputs['edges'] as readonly Edge[];
export const hasEdge = (edges: readonly Edge[], a: number, b: number): boolean =>
  edges.some(([target, source]) => target === a && source === b);

/** With the edge in both directions, or without it where it was there. */
export const toggled = (edges: readonly Edge[], a: number, b: number): Edge[] =>
  hasEdge(edges, a, b)
    ? edges.filter(([target, source]) => !((target === a && source === b) || (target === b && source === a)))
    : [...edges, [a, b], [b, a]];

/** Without the edges of a node, the nodes behind it one place further up. */
export const withoutNode = (edges: readonly Edge[], node: number): Edge[] =>
  edges
    .filter((edge) => !edge.includes(node))
    .map(([target, source]) => [target - Number(target > node), source - Number(source > node)]);

/** A stage with one number an edge as [target, source], `absent` where there is no edge. */
export function matrixOf(mechanism: Mechanism, stage: string, nodes: number, absent: number): number[][] {
  const data = mechanism.stage(stage)?.data ?? [];
  const used = (mechanism.result?.['edges'] ?? { data: [] }) as { readonly data: ArrayLike<number> };
  const rows = Array.from({ length: nodes }, () => new Array<number>(nodes).fill(absent));
  for (let edge = 0; edge < data.length; edge++) rows[used.data[2 * edge]!]![used.data[2 * edge + 1]!] = data[edge]!;
  return rows;
}

/** The weights where a pair without an edge has the score 0 in place of none. */
export function zeroScoreWeights(fovea: Fovea, scores: readonly (readonly number[])[]): number[][] {
  const { data } = softmax(fovea, scores as number[][]);
  return scores.map((row, n) => Array.from(data.slice(n * row.length, (n + 1) * row.length)));
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Nodes stand on a circle; the first at the top. */
export function places(count: number, size: number, margin: number): Place[] {
  return Array.from({ length: count }, (_, n) => {
    const angle = (2 * Math.PI * n) / count - Math.PI / 2;
    return { x: size / 2 + (size / 2 - margin) * Math.cos(angle), y: size / 2 + (size / 2 - margin) * Math.sin(angle) };
  });
}
