// Measures how rounding changes the order of similarities.

import { cosineOf } from '../compare.mjs';

/** The place of each number among all, from the smallest; equal ones share the mean of their places. */
export function ranks(values) {
  const order = values.map((_, n) => n).sort((a, b) => values[a] - values[b]);
  const found = new Array(values.length);
  for (let from = 0; from < order.length;) {
    let to = from;
    while (to < order.length && values[order[to]] === values[order[from]]) ++to;
    for (let n = from; n < to; ++n) found[order[n]] = (from + to - 1) / 2;
    from = to;
  }
  return found;
}

/** Pearson's correlation; of ranks it is Spearman's. */
export function correlation(a, b) {
  const mean = (values) => values.reduce((sum, x) => sum + x, 0) / values.length;
  const [of, other] = [mean(a), mean(b)];
  return cosineOf(
    a.map((x) => x - of),
    b.map((x) => x - other),
  );
}

/** How many of each vector's nearest `count` are among its nearest in both lists. */
export function neighborsKept(one, other, count) {
  const nearest = (vectors, n) =>
    vectors
      .map((x, at) => [at === n ? -Infinity : cosineOf(x, vectors[n]), at])
      .sort(([a], [b]) => b - a)
      .slice(0, count)
      .map(([, at]) => at);
  return one.reduce((sum, _, n) => {
    const before = nearest(one, n);
    return sum + nearest(other, n).filter((at) => before.includes(at)).length;
  }, 0);
}
