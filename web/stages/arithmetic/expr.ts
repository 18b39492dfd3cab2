/** Arithmetic on the arrays of a trace, one number at a time: what a number is computed from can be asked of every one. */

export type Index = readonly number[];

/** An array that the page knows: a stage, or one of the arguments. */
export interface Source {
  readonly kind: 'stage' | 'inputs' | 'params' | 'options';
  /** The catalog's name: `weights`, `forward.W1`. */
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: ArrayLike<number>;
}

/** One number of an expression. */
export interface Operand {
  readonly expr: Expr;
  readonly index: Index;
}

export type Operation =
  | 'source'
  | 'constant'
  | 'copy'
  | 'dot'
  | 'sum'
  | 'mean'
  | 'max'
  | 'min'
  | 'add'
  | 'subtract'
  | 'multiply'
  | 'divide'
  | 'scale'
  | 'power'
  | 'root'
  | 'norm'
  | 'absolute'
  | 'mask'
  | 'tanh'
  | 'sigmoid'
  | 'relu'
  | 'leakyRelu'
  | 'elu'
  | 'exp'
  | 'ln'
  | 'softmax'
  | 'sparsemax'
  | 'entmax'
  | 'top'
  | 'argmax';

export const sizeOf = (shape: readonly number[]): number => shape.reduce((size, n) => size * n, 1);

export function flatOf(shape: readonly number[], index: Index): number {
  return index.reduce((at, i, axis) => at * (shape[axis] ?? 1) + i, 0);
}

export function indexOf(shape: readonly number[], flat: number): number[] {
  const index: number[] = [];
  let rest = flat;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const size = shape[axis] ?? 1;
    index[axis] = rest % size;
    rest = Math.floor(rest / size);
  }
  return index;
}

export const without = (index: Index, axis: number): number[] => [...index.slice(0, axis), ...index.slice(axis + 1)];
export const inserted = (index: Index, axis: number, i: number): number[] => [...index.slice(0, axis), i, ...index.slice(axis)];

/** An array of numbers, each computed when it is asked for, from operands that can be named. */
export class Expr {
  readonly shape: readonly number[];
  readonly operation: Operation;
  /** The array itself, where it is one that the page knows. */
  readonly source: Source | null;
  /** The numbers that one number is computed from; products of a dot stand in pairs. */
  readonly operands: (index: Index) => readonly Operand[];
  /** The place among the operands that `index` stands at, for what is computed from a whole row. */
  readonly focus: (index: Index) => number;
  readonly #combine: (values: readonly number[], index: Index) => number;
  readonly #known = new Map<number, number>();

  constructor(
    shape: readonly number[],
    operation: Operation,
    operands: (index: Index) => readonly Operand[],
    combine: (values: readonly number[], index: Index) => number,
    { source = null, focus = () => 0 }: { source?: Source | null; focus?: (index: Index) => number } = {},
  ) {
    this.shape = shape;
    this.operation = operation;
    this.operands = operands;
    this.focus = focus;
    this.source = source;
    this.#combine = combine;
  }

  at(index: Index): number {
    const flat = flatOf(this.shape, index);
    let value = this.#known.get(flat);
    if (value === undefined) {
      const values = this.operands(index).map((operand) => operand.expr.at(operand.index));
      value = this.#combine(values, index);
      this.#known.set(flat, value);
    }
    return value;
  }
}

export function leaf(source: Source): Expr {
  const { shape, data } = source;
  return new Expr(
    shape,
    'source',
    () => [],
    (_, index) => data[flatOf(shape, index)] ?? NaN,
    { source },
  );
}

export function constant(value: number): Expr {
  return new Expr(
    [],
    'constant',
    () => [],
    () => value,
  );
}

/** Numbers that follow from their place alone, as a distance. */
export function fromPlace(shape: readonly number[], value: (index: Index) => number): Expr {
  return new Expr(
    shape,
    'constant',
    () => [],
    (_, index) => value(index),
  );
}

/** An array's numbers at other positions; null: 0 stands there. */
export function view(expr: Expr, shape: readonly number[], from: (index: Index) => Index | null): Expr {
  return new Expr(
    shape,
    'copy',
    (index) => {
      const place = from(index);
      return place === null ? [] : [{ expr, index: place }];
    },
    ([value = 0]) => value,
  );
}

/** One number out of one of each, all of the shape of the largest; the others are repeated along leading axes. */
export function elementwise(operation: Operation, args: readonly Expr[], combine: (values: readonly number[]) => number): Expr {
  const rank = Math.max(...args.map(({ shape }) => shape.length));
  const shape = Array.from({ length: rank }, (_, axis) =>
    Math.max(...args.map((arg) => arg.shape[axis - rank + arg.shape.length] ?? 1)),
  );
  return new Expr(
    shape,
    operation,
    (index) =>
      args.map((expr) => ({
        expr,
        index: expr.shape.map((size, axis) => (size === 1 ? 0 : (index[axis + rank - expr.shape.length] ?? 0))),
      })),
    (values) => combine(values),
  );
}

const along = (expr: Expr, index: Index, axis: number): Operand[] =>
  Array.from({ length: expr.shape[axis] ?? 0 }, (_, i) => ({ expr, index: inserted(without(index, axis), axis, i) }));

/** A number for each of a line, out of all of the line. */
export function lineByLine(
  operation: Operation,
  expr: Expr,
  axis: number,
  combine: (values: readonly number[], at: number) => number,
): Expr {
  const focus = (index: Index): number => index[axis] ?? 0;
  return new Expr(
    expr.shape,
    operation,
    (index) => along(expr, index, axis),
    (values, index) => combine(values, focus(index)),
    { focus },
  );
}

/** One number for each line along an axis. */
export function reduce(operation: Operation, expr: Expr, axis: number, combine: (values: readonly number[]) => number): Expr {
  return new Expr(
    without(expr.shape, axis),
    operation,
    (index) => along(expr, inserted(index, axis, 0), axis),
    (values) => combine(values),
  );
}
