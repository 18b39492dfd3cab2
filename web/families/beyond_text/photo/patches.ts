import type { Fovea } from 'fovea';
import { patches as cut, sum } from 'fovea/ops';
import { centeredRows, gridPositions, joinedRows, type Rows } from '../../../inputs/features.ts';
import type { Features } from '../comparison_options.ts';
import { gridOf, resized, type Grid, type Pixels } from '../../../inputs/image/pixels.ts';

/** The patches of an image: one row of numbers each, as they are and centered and normalized. */
export interface Patches extends Grid {
  readonly size: number;
  /** The pixels that the patches cover. */
  readonly pixels: Pixels;
  readonly raw: Rows;
  readonly centered: Rows;
  readonly positions: Rows;
  /** Mean red, green, blue of each. */
  readonly colors: Rows;
}

export function patchesOf(fovea: Fovea, image: Pixels, size: number, most?: number): Patches {
  const grid = gridOf(image, size, most);
  const [height, width] = [grid.rows * size, grid.cols * size];
  const pixels = width === image.width && height === image.height ? image : resized(image, width, height);
  const { data } = cut(fovea, { data: pixels.data, shape: [height, width, 3] }, { size });
  const raw = { data: data as Float32Array, width: size * size * 3 };
  const count = grid.rows * grid.cols;
  const totals = sum(fovea, { data: raw.data, shape: [count, size * size, 3] }, { axis: 1 }).data;
  const colors = { data: Float32Array.from(totals, (x) => x / (size * size)), width: 3 };
  return { ...grid, size, pixels, raw, centered: centeredRows(raw), positions: gridPositions(grid.rows, grid.cols), colors };
}

/** How patches are compared. */
export interface Comparison {
  readonly features: Features;
  /** 0 to 1: the part of position, the rest is color's. */
  readonly share: number;
  /** Multiplies the scores. */
  readonly scale: number;
}

/** Positions are nearer to one another than colors: their products count more. */
const SHARPER = 6;

/** A raw patch is divided by its side, so that its product with another is a mean over their pixels. */
const dividedBy = (patches: Patches, features: Comparison['features']): number => (features === 'raw' ? patches.size : 1);

/** The patches without their positions. */
export function comparedRows(patches: Patches, { features }: Comparison): Rows {
  const { data, width } = patches[features];
  const by = 1 / dividedBy(patches, features);
  return { data: data.map((x) => by * x), width };
}

/** The patches of a patch's column, from its top. */
export const columnOf = ({ rows, cols }: Patches, patch: number): number[] =>
  Array.from({ length: rows }, (_, row) => row * cols + (patch % cols));

/** Queries and keys of all patches. */
export function featuresOf(patches: Patches, { features, share }: Comparison): { queries: Rows; keys: Rows } {
  const rows = patches[features];
  const by = 1 / dividedBy(patches, features);
  return {
    queries: joinedRows(rows, patches.positions, by * (1 - share), share * SHARPER),
    keys: joinedRows(rows, patches.positions, by, 1),
  };
}

/** Some of the rows as an array for the package. */
export function pick({ data, width }: Rows, indices: readonly number[]): { data: Float32Array; shape: number[] } {
  const chosen = new Float32Array(indices.length * width);
  indices.forEach((index, n) => chosen.set(data.subarray(index * width, (index + 1) * width), n * width));
  return { data: chosen, shape: [indices.length, width] };
}

export const all = ({ data, width }: Rows): { data: Float32Array; shape: number[] } => ({
  data,
  shape: [data.length / width, width],
});
