/** Operations on whole lines of numbers: normalizers, sums, lengths. */
import { fromPlace, Expr, elementwise, indexOf, lineByLine, reduce, sizeOf, view, type Index, type Operation } from './expr.ts';

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** Whole lines of numbers, along each axis, the last first. */
export function normalized(name: string, x: Expr, detail: string): Expr[] {
  const axes = range(x.shape.length).reverse();
  const each = (operation: Operation, combine: (line: readonly number[], at: number) => number): Expr[] =>
    axes.map((axis) => lineByLine(operation, x, axis, combine));
  if (name === 'softmax') return each('softmax', softmaxAt);
  if (name === 'sparsemax') return each('sparsemax', (line, at) => Math.max(0, (line[at] ?? NaN) - sparsemaxThreshold(line)));
  if (name === 'entmax') return each('entmax', (line, at) => Math.max(0, (line[at] ?? NaN) / 2 - entmaxThreshold(line)) ** 2);
  if (name === 'argmax') return each('argmax', (line, at) => Number(at === line.indexOf(Math.max(...line))));
  const most = Number(detail);
  return each('top', (line, at) => {
    const value = line[at] ?? NaN;
    return line.filter((other, i) => other > value || (other === value && i < at)).length < most ? value : -Infinity;
  });
}

/** e to the power of a number, divided by the sum over the line; a line of −∞ only gives 0. */
function softmaxAt(line: readonly number[], at: number): number {
  const most = Math.max(...line);
  return most === -Infinity ? 0 : Math.exp((line[at] ?? NaN) - most) / sum(line.map((x) => Math.exp(x - most)));
}

/** The τ for which the numbers above it, τ taken off, sum to 1. */
export function sparsemaxThreshold(line: readonly number[]): number {
  const sorted = [...line].filter((x) => x !== -Infinity).sort((a, b) => b - a);
  const taken = sorted.filter((x, i) => 1 + (i + 1) * x > sum(sorted.slice(0, i + 1)));
  return (sum(taken) - 1) / taken.length;
}

/** The τ for which the squares of max(0, x / 2 − τ) sum to 1. */
export function entmaxThreshold(line: readonly number[]): number {
  let [low, high] = [Math.max(...line) / 2 - 1, Math.max(...line) / 2];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (sum(line.map((x) => Math.max(0, x / 2 - middle) ** 2)) > 1) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

export function reduced(operation: 'sum' | 'mean' | 'max', x: Expr): Expr[] {
  const combine = (values: readonly number[]): number =>
    operation === 'max' ? Math.max(...values) : sum(values) / (operation === 'mean' ? values.length : 1);
  const over = (axis: number): Expr => reduce(operation, x, axis, combine);
  return range(x.shape.length).map(over);
}

export function norms(x: Expr): Expr[] {
  const length = (values: readonly number[]): number => Math.sqrt(sum(values.map((value) => value * value)));
  if (x.shape.length === 0) return [];
  const lengths = reduce('norm', x, x.shape.length - 1, length);
  const whole = reduce(
    'norm',
    view(x, [sizeOf(x.shape)], ([i = 0]) => indexOf(x.shape, i)),
    0,
    length,
  );
  return [lengths, whole];
}

/** Sums of the numbers before each along the first axis. */
export function sumsBefore(x: Expr): Expr {
  return new Expr(
    x.shape,
    'sum',
    ([row = 0, ...rest]) => range(row).map((earlier) => ({ expr: x, index: [earlier, ...rest] })),
    (values) => sum(values),
  );
}

/** Along the last axis, sums of the numbers whose id is the one of the place: ids as words of a vocabulary, or in the order of first occurrence. */
export function sumsById(x: Expr, ids: ArrayLike<number>, words: number): Expr[] {
  const tokens = x.shape.at(-1) ?? 0;
  if (tokens !== ids.length) return [];
  const distinct = [...new Set(Array.from(ids))];
  const by = (wordAt: (place: number) => number | undefined): Expr =>
    new Expr(
      [...x.shape.slice(0, -1), words],
      'sum',
      (index) => {
        const word = wordAt(index.at(-1) ?? 0);
        return range(tokens)
          .filter((t) => ids[t] === word)
          .map((t) => ({ expr: x, index: [...index.slice(0, -1), t] }));
      },
      (values) => sum(values),
    );
  return [by((place) => place), by((place) => distinct[place])];
}

/** −∞ in place of some numbers. */
export function leftOut(x: Expr, isOut: (index: Index) => boolean): Expr {
  const kept = view(x, x.shape, (index) => (isOut(index) ? null : index));
  const mask = fromPlace(x.shape, (index) => (isOut(index) ? -Infinity : 0));
  return elementwise('mask', [kept, mask], ([a = NaN, b = NaN]) => a + b);
}
