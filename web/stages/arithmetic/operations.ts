/** What a formula's signs may mean for arrays of given shapes; which of it holds is told by the numbers. */
import {
  elementwise,
  Expr,
  flatOf,
  indexOf,
  inserted,
  lineByLine,
  reduce,
  sizeOf,
  view,
  without,
  type Index,
  type Operation,
} from './expr.ts';

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const sameShape = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((size, axis) => size === b[axis]);

const FUNCTIONS: Readonly<Record<string, { operation: Operation; of: (x: number) => number }>> = {
  tanh: { operation: 'tanh', of: Math.tanh },
  sigma: { operation: 'sigmoid', of: (x) => 1 / (1 + Math.exp(-x)) },
  relu: { operation: 'relu', of: (x) => Math.max(0, x) },
  LeakyReLU: { operation: 'leakyRelu', of: (x) => (x < 0 ? 0.2 * x : x) },
  elu: { operation: 'elu', of: (x) => (x < 0 ? Math.expm1(x) : x) },
  exp: { operation: 'exp', of: Math.exp },
  ln: { operation: 'ln', of: Math.log },
  root: { operation: 'root', of: Math.sqrt },
  absolute: { operation: 'absolute', of: Math.abs },
};
/** What an activation may be that a formula leaves open. */
const ACTIVATIONS = ['tanh', 'sigma', 'relu', 'elu'];

export function applied(name: string, x: Expr): Expr[] {
  const found = FUNCTIONS[name];
  return found ? [elementwise(found.operation, [x], ([value = NaN]) => found.of(value))] : [];
}
export const activated = (x: Expr): Expr[] => [x, ...ACTIVATIONS.flatMap((name) => applied(name, x))];

/** Array by array product over one axis of each, the leading axes taken one by one as far as `batch` says. */
function contract(a: Expr, b: Expr, batch: number, axisA: number, axisB: number): Expr | null {
  const count = a.shape[axisA];
  if (axisA < batch || axisB < batch || count === undefined || count !== b.shape[axisB]) return null;
  if (!sameShape(a.shape.slice(0, batch), b.shape.slice(0, batch))) return null;
  const restA = without(a.shape, axisA);
  const shape = [...restA, ...without(b.shape, axisB).slice(batch)];
  return new Expr(
    shape,
    'dot',
    (index) => {
      const inA = index.slice(0, restA.length);
      const inB = [...index.slice(0, batch), ...index.slice(restA.length)];
      return range(count).flatMap((k) => [
        { expr: a, index: inserted(inA, axisA, k) },
        { expr: b, index: inserted(inB, axisB, k) },
      ]);
    },
    (values) => {
      let total = 0;
      for (let k = 0; k < values.length; k += 2) {
        const [x = 0, y = 0] = [values[k], values[k + 1]];
        // A weight of 0 takes no part, whatever it stands before.
        if (x !== 0 && y !== 0) total += x * y;
      }
      return total;
    },
  );
}

/** Products of two arrays, the most usual reading first. */
export function products(a: Expr, b: Expr): Expr[] {
  if (a.shape.length === 0 || b.shape.length === 0) return [scaled(a, b)];
  const [last, lastB] = [a.shape.length - 1, b.shape.length - 1];
  const usual = Math.max(0, lastB - 1);
  const found: (Expr | null)[] = [];
  for (const batch of [Math.min(last, usual), 0, 1, 2].filter((n, i, all) => all.indexOf(n) === i)) {
    const axes = range(b.shape.length).sort((x, y) => Number(y === usual) - Number(x === usual) || y - x);
    for (const axisA of range(a.shape.length).reverse())
      for (const axisB of axes) found.push(contract(a, b, batch, axisA, axisB));
  }
  const usable = found.filter((expr) => expr !== null);
  return [...usable, ...hadamard(a, b), ...outer(a, b)];
}

/** Token by token, each number of one by each of the other. */
function outer(a: Expr, b: Expr): Expr[] {
  if (a.shape.length !== 2 || b.shape.length !== 2 || a.shape[0] !== b.shape[0]) return [];
  const [rows = 0, width = 0] = a.shape;
  const [column, row] = [
    view(a, [rows, width, 1], ([t = 0, i = 0]) => [t, i]),
    view(b, [rows, 1, b.shape[1] ?? 0], ([t = 0, , j = 0]) => [t, j]),
  ];
  return [scaled(column, row)];
}

const scaled = (a: Expr, b: Expr): Expr => elementwise('multiply', [a, b], ([x = NaN, y = NaN]) => (x === 0 ? 0 : x * y));

/** Products number by number; a vector goes along either axis. */
export function hadamard(a: Expr, b: Expr): Expr[] {
  return aligned(a, b).map(([x, y]) => scaled(x, y));
}

export function smaller(a: Expr, b: Expr): Expr[] {
  return aligned(a, b).map(([x, y]) => elementwise('min', [x, y], ([p = NaN, q = NaN]) => Math.min(p, q)));
}

export function quotients(a: Expr, b: Expr): Expr[] {
  return aligned(a, b).map(([x, y]) => elementwise('divide', [x, y], ([p = NaN, q = NaN]) => p / q));
}

export function sums(a: Expr, b: Expr, sign: 1 | -1, pairs: boolean): Expr[] {
  const add = ([x, y]: readonly [Expr, Expr]): Expr =>
    elementwise(sign === 1 ? 'add' : 'subtract', [x, y], ([p = NaN, q = NaN]) => p + sign * q);
  const each = aligned(a, b).map(add);
  const outer = a.shape.length === 2 && b.shape.length === 2 && a.shape[1] === b.shape[1] ? [add(everyPair(a, b))] : [];
  const lists = a.shape.length === 1 && b.shape.length === 1 && pairs ? [add([column(a), b])] : [];
  return pairs ? [...outer, ...lists, ...each] : [...each, ...outer];
}

/** Two arrays whose numbers meet one by one. */
function aligned(a: Expr, b: Expr): (readonly [Expr, Expr])[] {
  const fits = (long: readonly number[], short: readonly number[]): boolean =>
    short.every((size, axis) => size === 1 || size === long[axis + long.length - short.length]);
  const found: (readonly [Expr, Expr])[] = [];
  if (fits(a.shape, b.shape) || fits(b.shape, a.shape)) found.push([a, b]);
  if (b.shape.length === 1 && a.shape.length === 2 && a.shape[0] === b.shape[0]) found.push([a, column(b)]);
  if (a.shape.length === 1 && b.shape.length === 2 && b.shape[0] === a.shape[0]) found.push([column(a), b]);
  return found;
}

const column = (a: Expr): Expr => view(a, [...a.shape, 1], (index) => index.slice(0, -1));

/** Each row of one with each row of the other: [T, A] and [S, A] become [T, S, A]. */
function everyPair(a: Expr, b: Expr): readonly [Expr, Expr] {
  const [rows = 0, width = 0] = a.shape;
  return [view(a, [rows, 1, width], ([i = 0, , k = 0]) => [i, k]), b];
}

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

/** Side by side along the last axis. */
export function concatenated(parts: readonly Expr[]): Expr[] {
  const [first] = parts;
  if (!first || parts.some(({ shape }) => !sameShape(shape.slice(0, -1), first.shape.slice(0, -1)))) return [];
  const widths = parts.map(({ shape }) => shape.at(-1) ?? 0);
  const shape = [...first.shape.slice(0, -1), sum(widths)];
  const place = (index: Index): { expr: Expr; index: Index } => {
    let [part, rest] = [0, index.at(-1) ?? 0];
    while (rest >= (widths[part] ?? Infinity)) rest -= widths[part++] ?? 0;
    return { expr: parts[part] ?? first, index: [...index.slice(0, -1), rest] };
  };
  return [
    new Expr(
      shape,
      'copy',
      (index) => [place(index)],
      ([value = NaN]) => value,
    ),
  ];
}

/** Each token between its neighbors, as many on either side as make this width; zeros stand outside. */
export function windows(x: Expr, width: number): Expr[] {
  const [tokens = 0, each = 1] = x.shape;
  const reach = (width / each - 1) / 2;
  if (x.shape.length !== 2 || !Number.isInteger(reach)) return [];
  return [
    view(x, [tokens, width], ([t = 0, c = 0]) => {
      const from = t - reach + Math.floor(c / each);
      return from < 0 || from >= tokens ? null : [from, c % each];
    }),
  ];
}

/** The same array one place later along the first axis; zeros stand first. */
export function delayed(x: Expr): Expr {
  return view(x, x.shape, ([first = 0, ...rest]) => (first === 0 ? null : [first - 1, ...rest]));
}

export function turned(x: Expr): Expr {
  const shape = [...x.shape];
  const [rows = 1, cols = 1] = shape.splice(-2);
  return x.shape.length < 2
    ? x
    : view(x, [...shape, cols, rows], (index) => [...index.slice(0, -2), index.at(-1) ?? 0, index.at(-2) ?? 0]);
}

/** Zeros above the diagonal. */
export function lowerTriangle(x: Expr): Expr {
  return view(x, x.shape, (index) => ((index.at(-1) ?? 0) > (index.at(-2) ?? 0) ? null : index));
}

/** The ways in which an array can stand as one of another shape. */
export function fitted(x: Expr, shape: readonly number[]): Expr[] {
  if (sizeOf(x.shape) !== sizeOf(shape)) return [];
  if (sameShape(x.shape, shape)) return [x, ...(x.shape.length === 2 && shape[0] === shape[1] ? [turned(x)] : [])];
  const bare = (sizes: readonly number[]): number[] => sizes.filter((size) => size !== 1);
  const reshaped = (from: Expr): Expr => view(from, shape, (index) => indexOf(from.shape, flatOf(shape, index)));
  const found: Expr[] = sameShape(bare(x.shape), bare(shape)) ? [reshaped(x)] : [];
  if (x.shape.length === 2 && sameShape(bare(turned(x).shape), bare(shape))) found.push(reshaped(turned(x)));
  return [...found, ...heads(x, shape)];
}

/** [T, H · D] as [H, T, D], and back. */
function heads(x: Expr, shape: readonly number[]): Expr[] {
  if (x.shape.length === 2 && shape.length === 3) {
    const [, tokens, width = 1] = shape;
    return tokens === x.shape[0] ? [view(x, shape, ([h = 0, t = 0, d = 0]) => [t, h * width + d])] : [];
  }
  const [, tokens, width = 1] = x.shape;
  if (x.shape.length !== 3 || shape.length !== 2 || tokens !== shape[0]) return [];
  return [view(x, shape, ([t = 0, c = 0]) => [Math.floor(c / width), t, c % width])];
}
