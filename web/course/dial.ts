import type { Fovea } from 'fovea';

export interface PlanePoint {
  readonly x: number;
  readonly y: number;
}

/** Five keys and five values in the plane, set by hand: each value lies roughly where its key points, and the values are the corners of a convex polygon. */
export const KEYS: readonly PlanePoint[] = [
  { x: 2, y: 0.4 },
  { x: 0.2, y: 2 },
  { x: -1.3, y: 1.5 },
  { x: -1.5, y: -1.3 },
  { x: 0.9, y: -1.8 },
];
export const VALUES: readonly PlanePoint[] = [
  { x: 3.3, y: 0.9 },
  { x: 1, y: 3.1 },
  { x: -2.9, y: 1.7 },
  { x: -2.2, y: -2.5 },
  { x: 2.1, y: -2.9 },
];
export const START: PlanePoint = { x: 1.2, y: 1.6 };
export const RANGE = 4;

/** The query of a link, "1.2,1.6": null where it names none that the picture can show. */
export function readQuery(text: string | null): PlanePoint | null {
  const [x, y, ...more] = (text ?? '').split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
  const inside = (value: number | undefined): value is number => value !== undefined && Math.abs(value) <= RANGE;
  return inside(x) && inside(y) && more.length === 0 ? { x, y } : null;
}

export interface DialResult {
  readonly weights: readonly number[];
  readonly output: PlanePoint;
}

const pairs = (points: readonly PlanePoint[]): number[][] => points.map(({ x, y }) => [x, y]);

/** One query over the five keys and values, by the package. */
export function turn(fovea: Fovea, query: PlanePoint): DialResult {
  const { output, weights } = fovea.attention(pairs([query]), pairs(KEYS), pairs(VALUES), { returnWeights: true });
  const [x = NaN, y = NaN] = output.data;
  return { weights: Array.from(weights.data), output: { x, y } };
}
