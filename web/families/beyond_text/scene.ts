import type { Fovea } from 'fovea';
import type { Arguments } from 'fovea/catalog';
import { matmul, transpose } from 'fovea/ops';
import type { Mechanism } from '../../stages/mechanism.svelte.ts';

/** The scene of the catalog with its raw colors, and params that let position count beside color. */

export type Image = readonly (readonly (readonly number[])[])[];

/** Raw colors: the catalog's contrast. */
export const rawImage = ({ sample }: Mechanism): Image => sample.contrast.inputs!['image'] as Image;
/** The name of a color: red, green and blue in thirds. */
export const nameOf = (color: readonly number[]): string => color.map((x) => Math.round(3 * x)).join(' ');
export const cssOf = (color: readonly number[]): string => `rgb(${color.map((x) => Math.round(40 + 215 * x)).join(' ')})`;

/** On half circles across and down: the nearer two places, the larger their dot product, 1 for the same one. */
function positions(height: number, width: number): number[][] {
  const at = (n: number, count: number): number[] => {
    const angle = (Math.PI * n) / (count - 1);
    return [Math.cos(angle) / Math.SQRT2, Math.sin(angle) / Math.SQRT2];
  };
  return Array.from({ length: height * width }, (_, n) => [
    ...[0, 0, 0],
    ...at(n % width, width),
    ...at(Math.floor(n / width), height),
  ]);
}

const PLACE = 4;
/** Positions are nearer to one another than colors: their products count more. */
const SHARPER = 6;
const diagonal = (numbers: readonly number[]): number[][] => numbers.map((x, i) => numbers.map((_, j) => (i === j ? x : 0)));

/** Queries in which position has the part `share` and color the rest; the catalog's params where it has none. */
export function paramsWith(mechanism: Mechanism, share: number): Arguments {
  const image = rawImage(mechanism);
  if (share === 0) return mechanism.sample.params;
  const color = [1, 1, 1];
  const place = new Array<number>(PLACE).fill(1);
  return {
    E: diagonal([...color, ...place]).slice(0, color.length),
    positions: positions(image.length, image[0]!.length),
    Wq: diagonal([...color.map((x) => x * (1 - share)), ...place.map((x) => x * share * SHARPER)]),
    Wk: diagonal([...color, ...place]),
    Wv: diagonal([...color, ...place]).map((row) => row.slice(0, color.length)),
  };
}

/** Dot products of one patch with all: the scores before they are scaled, by the package. */
export function scoresOf(fovea: Fovea, tokens: readonly (readonly number[])[], params: Arguments, patch: number): number[] {
  const q = matmul(fovea, [tokens[patch]!], params['Wq'] as number[][]);
  const k = matmul(fovea, tokens as number[][], params['Wk'] as number[][]);
  return Array.from(matmul(fovea, q, transpose(fovea, k)).data);
}
