/** Possible meanings of a formula's signs for arrays of given shapes; the numbers decide which of them holds. */
import { elementwise, Expr, flatOf, indexOf, inserted, sizeOf, view, without, type Index, type Operation } from './expr.ts';

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
/** Activations that a formula may leave open. */
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
  const wholes = a.shape.length === 1 && b.shape.length === 2 ? [scaled(column(column(a)), b)] : [];
  if (a.shape.length !== 2 || b.shape.length !== 2 || a.shape[0] !== b.shape[0]) return wholes;
  const [rows = 0, width = 0] = a.shape;
  const [left, right] = [
    view(a, [rows, width, 1], ([t = 0, i = 0]) => [t, i]),
    view(b, [rows, 1, b.shape[1] ?? 0], ([t = 0, , j = 0]) => [t, j]),
  ];
  return [scaled(left, right)];
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
  const lists = a.shape.length === 1 && b.shape.length === 1 && pairs ? [add([column(a), b]), add([a, column(b)])] : [];
  return [...(pairs ? [...outer, ...lists, ...each] : [...each, ...outer]), ...padded(a, b).map(add)];
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

/** The shorter one filled up with zeros along the last axis: words that a vocabulary lacks. */
function padded(a: Expr, b: Expr): (readonly [Expr, Expr])[] {
  const [width = 0, other = 0] = [a.shape.at(-1), b.shape.at(-1)];
  if (a.shape.length !== 2 || b.shape.length !== 2 || a.shape[0] !== b.shape[0] || width >= other || width < 2) return [];
  return [[view(a, b.shape, (index) => ((index.at(-1) ?? 0) < width ? index : null)), b]];
}

const column = (a: Expr): Expr => view(a, [...a.shape, 1], (index) => index.slice(0, -1));

/** Each row of one with each row of the other: [T, A] and [S, A] become [T, S, A]. */
function everyPair(a: Expr, b: Expr): readonly [Expr, Expr] {
  const [rows = 0, width = 0] = a.shape;
  return [view(a, [rows, 1, width], ([i = 0, , k = 0]) => [i, k]), b];
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

/** The array one position later along the first axis, with as many positions as are asked for; zeros or `start` come first. */
export function delayed(x: Expr, rows = x.shape[0] ?? 0, start: Expr | null = null): Expr {
  const shape = [rows, ...x.shape.slice(1)];
  return new Expr(
    shape,
    'copy',
    ([first = 0, ...rest]) =>
      first > 0 ? [{ expr: x, index: [first - 1, ...rest] }] : start ? [{ expr: start, index: rest }] : [],
    ([value = 0]) => value,
  );
}

/** Some of the rows, or one of them alone. */
export const rowsOf = (x: Expr, from: number, to: number): Expr =>
  view(x, [to - from, ...x.shape.slice(1)], ([first = 0, ...rest]) => [from + first, ...rest]);
export const rowOf = (x: Expr, row: number): Expr => view(x, x.shape.slice(1), (index) => [row, ...index]);

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
