/** graphAttention in double, from Veličković et al. 2018, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { dot, plus, scaled, softmax, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong =
  | 'softmax over targets'
  | '[source, target]'
  | 'no self-loops'
  | 'duplicates counted'
  | 'no LeakyReLU'
  | 'aTarget and aSource swapped'
  | 'LeakyReLU after a'
  | 'values by WTarget';

export const reference =
  (wrong: Wrong | ''): Run =>
  (
    inputs,
    params,
    { heads = 1, version = 1, negativeSlope = 0.2, selfLoops = true, combine = 'concat', activation = 'elu' },
  ) => {
    const { h, edges: given } = inputs as { h: Matrix; edges: Matrix };
    const { W, aTarget, aSource, WTarget, WSource, a, bias } = params as Record<string, Matrix> & { bias?: Row };
    const H = heads as number;
    const loops = selfLoops && wrong !== 'no self-loops' ? h.map((_, i) => [i, i]) : [];
    const turned = wrong === '[source, target]' ? given.map(([t, s]) => [s!, t!]) : given;
    const all = [...turned, ...loops];
    const edges =
      wrong === 'duplicates counted' ? all : all.filter(([t, s], n) => all.findIndex((e) => e[0] === t && e[1] === s) === n);
    const leaky = (x: number): number => (x >= 0 || wrong === 'no LeakyReLU' ? x : x * (negativeSlope as number));
    const part = (row: Row, k: number): Row => row.slice((k * row.length) / H, ((k + 1) * row.length) / H);
    const project = (M: Matrix): Matrix => h.map((row) => times(row, M));
    const [toward, from] = version === 1 ? [project(W!), project(W!)] : [project(WTarget!), project(WSource!)];
    const score = (t: number, s: number, k: number): number => {
      const [x, y] = [part(toward[t]!, k), part(from[s]!, k)];
      if (version === 1) {
        const [p, q] = wrong === 'aTarget and aSource swapped' ? [aSource!, aTarget!] : [aTarget!, aSource!];
        return leaky(dot(p[k]!, x) + dot(q[k]!, y));
      }
      return wrong === 'LeakyReLU after a' ? leaky(dot(a![k]!, plus(x, y))) : dot(a![k]!, plus(x, y).map(leaky));
    };
    const group = wrong === 'softmax over targets' ? 1 : 0;
    const weights = edges.map(() => zeros(H));
    for (let k = 0; k < H; k++)
      h.forEach((_, node) => {
        const own = [...edges.keys()].filter((n) => edges[n]![group] === node);
        softmax(own.map((n) => score(edges[n]![0]!, edges[n]![1]!, k))).forEach((x, n) => (weights[own[n]!]![k] = x));
      });
    const values = wrong === 'values by WTarget' ? toward : from;
    const width = from[0]!.length / H;
    const output = h.map((_, t) => {
      const parts = Array.from({ length: H }, (_, k) =>
        edges.reduce<Row>(
          (sum, [target, s], n) => (target === t ? plus(sum, scaled(part(values[s!]!, k), weights[n]![k]!)) : sum),
          zeros(width),
        ),
      );
      const joined = combine === 'concat' ? parts.flat() : scaled(plus(...parts), 1 / H);
      const biased = bias ? plus(joined, bias) : joined;
      return biased.map((x) => (activation === 'none' || x > 0 ? x : activation === 'relu' ? 0 : Math.expm1(x)));
    });
    return { output, weights, edges };
  };
