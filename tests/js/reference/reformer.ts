/** reformer in double, a sequence at a time, from Kitaev, Kaiser and Levskaya 2020, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { dot, mix, plus, scaled, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong =
  | 'duplicates not corrected'
  | 'rounds averaged'
  | 'keys not normalized'
  | 'self always allowed'
  | 'self never allowed'
  | 'self allowed per round'
  | 'no look back';

interface Head {
  readonly weights: Matrix;
  readonly lse: Row;
  readonly roundWeights: Matrix[];
  readonly roundLse: Matrix;
}

/** One head's attention of queries q, in the buckets of each round, -1 in the padding. */
function attend(q: Matrix, buckets: Matrix, options: Record<string, unknown>, wrong: Wrong | ''): Head {
  const { causal = false, scale = 1, combine = 'rounds', countDuplicates = false, chunkLength = 0 } = options;
  const m = chunkLength as number;
  const unit = (row: Row): Row => (dot(row, row) === 0 ? row : scaled(row, 1 / Math.sqrt(dot(row, row))));
  const keys = wrong === 'keys not normalized' ? q : q.map(unit);
  const isToken = (t: number): boolean => buckets[0]![t]! >= 0;
  const chunks = buckets.map((ids) => {
    const sorted = [...ids.keys()].filter(isToken).sort((a, b) => ids[a]! - ids[b]! || a - b);
    return ids.map((_, t) => (m === 0 ? 0 : Math.floor(sorted.indexOf(t) / m)));
  });
  const rows = q.map((query, i) => {
    const others = buckets.map((ids, r) =>
      [...q.keys()].filter((j) => {
        const back = chunks[r]![i]! - chunks[r]![j]!;
        const isNear = back === 0 || (back === 1 && wrong !== 'no look back');
        return isToken(i) && j !== i && ids[j] === ids[i] && (!causal || j < i) && isNear;
      }),
    );
    const isAlone = isToken(i) && others.every((list) => list.length === 0);
    const P = others.map((list) => {
      if (wrong === 'self always allowed') return [...list, i];
      if (wrong === 'self never allowed') return list;
      if (wrong === 'self allowed per round') return list.length === 0 ? [i] : list;
      return isAlone ? [i] : list;
    });
    const N = (j: number): number =>
      countDuplicates || wrong === 'duplicates not corrected' ? 1 : P.filter((list) => list.includes(j)).length;
    const score = (j: number): number => (scale as number) * dot(query, keys[j]!);
    const spread = (list: number[], power: (j: number) => number): { total: number; row: Row } => {
      const total = list.reduce((sum, j) => sum + power(j), 0);
      return { total, row: q.map((_, j) => (list.includes(j) ? power(j) / total : 0)) };
    };
    if (combine === 'union') {
      const { total, row } = spread([...new Set(P.flat())], (j) => Math.exp(score(j)));
      return { weights: row, lse: Math.log(total), rounds: [] };
    }
    const rounds = P.map((list) => spread(list, (j) => Math.exp(score(j)) / N(j)));
    const all = rounds.reduce((sum, { total }) => sum + total, 0);
    const share = (total: number): number => (wrong === 'rounds averaged' ? 1 / rounds.length : all && total / all);
    const weights = rounds.map(({ total, row }) => scaled(row, share(total))).reduce((a, b) => plus(a, b));
    return { weights, lse: Math.log(all), rounds };
  });
  return {
    ...{ weights: rows.map(({ weights }) => weights), lse: rows.map(({ lse }) => lse) },
    roundWeights: buckets.map((_, r) => rows.map(({ rounds }) => rounds[r]?.row ?? [])),
    roundLse: buckets.map((_, r) => rows.map(({ rounds }) => Math.log(rounds[r]?.total ?? 0))),
  };
}

/** argmax [q R; -q R]. */
export function hash(q: Matrix, R: Matrix): Row {
  return q.map((row) => {
    const turned = times(row, R);
    const all = [...turned, ...scaled(turned, -1)];
    return all.indexOf(Math.max(...all));
  });
}

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, { heads = 1, lengths, ...options }) => {
    const x = inputs['x'] as Matrix;
    const [H, length] = [heads as number, (lengths as number | undefined) ?? x.length];
    const { Wqk, Wv, Wo, rotations } = params as { Wqk?: Matrix; Wv?: Matrix; Wo?: Matrix; rotations?: Matrix[] };
    const tokens = x.map((row, t) => (t < length ? row : zeros(row.length)));
    const split = (W?: Matrix): Matrix[] => {
      const rows = W ? tokens.map((row) => times(row, W)) : tokens;
      const width = rows[0]!.length / H;
      return Array.from({ length: H }, (_, h) => rows.map((row) => row.slice(h * width, (h + 1) * width)));
    };
    const [q, v] = [split(Wqk), split(Wv)];
    const given = inputs['buckets'] as Matrix | Matrix[] | undefined;
    const buckets = q.map((rows, h) => {
      const own = (Array.isArray(given?.[0]?.[0]) ? given[h] : given) as Matrix | undefined;
      return (own ?? rotations!.map((R) => hash(rows, R))).map((ids) => ids.map((id, t) => (t < length ? id : -1)));
    });
    const all = q.map((rows, h) => attend(rows, buckets[h]!, options, wrong));
    const output = x.map((_, t) => all.flatMap(({ weights }, h) => mix(weights[t]!, v[h]!, v[h]![0]!.length)));
    return {
      ...{ weights: all.map(({ weights }) => weights), lse: all.map(({ lse }) => lse), buckets },
      output: Wo ? output.map((row) => times(row, Wo)) : output,
      ...(options['combine'] !== 'union' && {
        roundWeights: all.map(({ roundWeights }) => roundWeights),
        roundLse: all.map(({ roundLse }) => roundLse),
      }),
    };
  };
