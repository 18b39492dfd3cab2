// Reading results.json: what belongs together, and the numbers that follow from it.

import { contestants } from './contestants/index.mjs';
import { cacheBytes, densityOf, flopsOf, isOf, pairsOf, shapes } from './shapes.mjs';

export const shapeOf = (id) => shapes.find((shape) => shape.id === id);
export const contestantOf = (id) => contestants.find((contestant) => contestant.id === id);

export function legOf(results, engine, threads) {
  return results.legs.find((leg) => leg.engine === engine && leg.threads === threads);
}

/** The measurement of one shape in a leg, or undefined. */
export function entryOf(leg, shape) {
  return leg?.shapes.find((entry) => entry.shape === shape);
}

/** A result that counts, or undefined. */
export function resultOf(entry, id) {
  const result = entry?.results[id];
  return result && !result.failure ? result : undefined;
}

/** The fastest result of a role in an entry as { id, ...result }, or undefined. */
export function bestOf(entry, isEligible) {
  const ids = Object.keys(entry?.results ?? {}).filter((id) => resultOf(entry, id) && isEligible(contestantOf(id)));
  const [best] = ids.sort((a, b) => entry.results[a].median - entry.results[b].median);
  return best === undefined ? undefined : { id: best, ...entry.results[best] };
}

/** The fastest peer, of those with weights of 8 bits or of the others. */
export const bestPeer = (entry, ofInt8 = false) =>
  bestOf(entry, ({ role, int8 = false }) => role === 'peer' && int8 === ofInt8);

/** GFLOP/s of the work that the definition needs; for decoding, GB/s of keys and values. */
export function rateOf(shapeId, { median }) {
  const shape = shapeOf(shapeId);
  return (shape.decode ? cacheBytes(shape) : flopsOf(shape)) / 1e6 / median;
}

/** The machine's limit for a shape, or undefined: of reading for decoding, else of computing, with relaxed SIMD or without. */
export function limitOf({ shape, limits }, isRelaxed = limits.madd !== undefined) {
  return limits[shapeOf(shape).decode ? 'read' : isRelaxed ? 'madd' : 'mulAdd']?.median;
}

/** The part of the machine's limit that a result reaches, or undefined: of what its variant can compute. */
export function shareOfLimit(entry, result) {
  const limit = limitOf(entry, result.variant?.startsWith('relaxed') ?? false);
  return limit && rateOf(entry.shape, result) / limit;
}

/** Nanoseconds for each pair that the rules allow. */
export const nanosecondsPerPair = (shapeId, { median }) => (1e6 * median) / pairsOf(shapeOf(shapeId));

export const nanosecondsPerToken = (shapeId, { median }) => (1e6 * median) / shapeOf(shapeId).queries;

/** The shapes of linear attention that differ in the number of tokens only. */
export const growing = shapes.filter((shape) => isOf('linear', shape) && !shape.causal);

/** How time grows with the tokens N: { a, b } of a·N^b, by least squares of logarithms, a in nanoseconds; or undefined. */
export function growthOf(leg, id = 'fovea') {
  const points = growing.flatMap((shape) => {
    const result = resultOf(entryOf(leg, shape.id), id);
    return result ? [[Math.log(shape.queries), Math.log(1e6 * result.median)]] : [];
  });
  if (points.length < 3) return undefined;
  const mean = (values) => values.reduce((a, b) => a + b) / values.length;
  const [x, y] = [0, 1].map((axis) => mean(points.map((point) => point[axis])));
  const b = mean(points.map(([u, w]) => (u - x) * (w - y))) / mean(points.map(([u]) => (u - x) ** 2));
  return { a: Math.exp(y - b * x), b, from: Math.exp(points[0][0]), to: Math.exp(points.at(-1)[0]) };
}

/** The share of the dense work that a pattern leaves, over the share of the dense time; undefined without a dense time. */
export function efficiencyOf(leg, shapeId, id = 'fovea') {
  const shape = shapeOf(shapeId);
  const [all, some] = [shape.dense, shapeId].map((name) => resultOf(entryOf(leg, name), id));
  return all && some && (densityOf(shape) * all.median) / some.median;
}

/** How many times as long a slow input takes as the ordinary one beside it, or undefined. */
export function slowdownOf(leg, id) {
  const { slow, ordinary } = leg?.cliffs?.[id] ?? {};
  return slow && slow.median / ordinary.median;
}

/** How many times faster `result` is than `other`. */
export const timesFaster = (result, other) => other.median / result.median;
