/** The steps in which a number of an expression came about, and the cells that took part. */
import type { Expr, Index, Operand, Operation, Source } from './expr.ts';

export interface Cell {
  readonly source: Source;
  readonly index: Index;
}

/** A number that a step takes. */
export interface Term {
  readonly value: number;
  /** The number whose square root it is, where that is a constant: √3. */
  readonly rootOf: number | null;
  /** Where it stands; null for what was computed on the way. */
  readonly cell: Cell | null;
  /** Its place in the line that it is one of. */
  readonly index: Index;
}

export interface Step {
  readonly operation: Operation;
  /** In the order of the arithmetic; products of a dot in pairs. */
  readonly terms: readonly Term[];
  /** The term at the number's own place, of what needs a whole line. */
  readonly focus: number;
  readonly value: number;
}

const MOST_STEPS = 8;
const MOST_CELLS = 4000;

export function explain(expr: Expr, index: Index): Step[] {
  const steps: Step[] = [];
  let open: Operand[] = [{ expr, index }];
  for (let next = open.shift(); next && steps.length < MOST_STEPS; next = open.shift()) {
    const { expr, index } = next;
    const operands = expr.operands(index);
    const [only] = operands;
    if (expr.operation === 'copy' && only && !only.expr.source) {
      open.unshift(only);
      continue;
    }
    if (expr.operation === 'source' || expr.operation === 'constant') continue;
    steps.push({
      operation: expr.operation,
      terms: operands.map(termOf),
      focus: expr.focus(index),
      value: expr.at(index),
    });
    open = [...behind(expr, index, operands), ...open];
  }
  return steps;
}

const termOf = (operand: Operand): Term => ({
  value: operand.expr.at(operand.index),
  rootOf: rootOf(operand),
  cell: cellOf(operand),
  index: operand.index,
});

/** The constant whose square root an operand is. */
function rootOf({ expr, index }: Operand): number | null {
  if (expr.operation !== 'root') return null;
  const [inner] = expr.operands(index);
  return inner?.expr.operation === 'constant' ? inner.expr.at(inner.index) : null;
}

/** The operands whose own arithmetic is told next: of a line the one at the number's place, of a product the term that counts most. */
function behind(expr: Expr, index: Index, operands: readonly Operand[]): Operand[] {
  const computed = (list: readonly (Operand | undefined)[]): Operand[] =>
    list.filter((operand) => operand !== undefined).filter((operand) => !isKnown(operand.expr) && rootOf(operand) === null);
  if (expr.operation === 'dot') {
    const size = (k: number): number => Math.abs(product(operands[k]) * product(operands[k + 1]));
    let most = 0;
    for (let k = 2; k < operands.length; k += 2) if (size(k) > size(most)) most = k;
    return computed(operands.slice(most, most + 2));
  }
  if (/^(?:add|subtract|multiply|divide|mask|min)$/.test(expr.operation)) return computed(operands);
  return computed([operands[expr.focus(index)]]);
}

const product = (operand: Operand | undefined): number => operand?.expr.at(operand.index) ?? 0;

/** Nothing is to be told of an array itself, nor of one whose numbers stand in other places. */
function isKnown(expr: Expr): boolean {
  if (expr.operation !== 'copy') return expr.source !== null || expr.operation === 'constant';
  const [only] = expr.operands(expr.shape.map(() => 0));
  return !only || isKnown(only.expr);
}

/** The cell of an array that an operand is, or is a copy of. */
function cellOf({ expr, index }: Operand): Cell | null {
  if (expr.source) return { source: expr.source, index };
  const [only] = expr.operation === 'copy' ? expr.operands(index) : [];
  return only ? cellOf(only) : null;
}

/** Operations that make one number of another one, or of the number at its place in a line. */
const FROM_ONE =
  /^(?:copy|mask|scale|divide|multiply|softmax|sparsemax|entmax|top|argmax|power|root|exp|ln|tanh|sigmoid|relu|leakyRelu|elu|absolute)$/;

/** The one cell that a number is a changed form of: what was told of that cell leads up to it. Null for sums and products of many. */
export function cellBefore(expr: Expr, index: Index): Cell | null {
  if (!FROM_ONE.test(expr.operation)) return null;
  const operands = expr.operands(index);
  const isLine = /^(?:softmax|sparsemax|entmax|top|argmax)$/.test(expr.operation);
  const arrays = isLine
    ? operands.slice(expr.focus(index)).slice(0, 1)
    : operands.filter(({ expr: inner }) => inner.operation !== 'constant' && inner.shape.length > 0);
  const [operand, other] = arrays;
  // Neither array of a product leads up to it more than the other.
  if (!operand || (other && expr.operation === 'multiply')) return null;
  return operand.expr.source ? { source: operand.expr.source, index: operand.index } : cellBefore(operand.expr, operand.index);
}

/** The cells of arrays that a number is computed from. */
export function cellsBehind(expr: Expr, index: Index): Cell[] {
  const cells: Cell[] = [];
  const seen = new Set<string>();
  const visit = (operand: Operand): void => {
    if (cells.length >= MOST_CELLS) return;
    const { source } = operand.expr;
    if (!source) {
      operand.expr.operands(operand.index).forEach(visit);
      return;
    }
    const key = `${source.kind}.${source.name} ${operand.index.join()}`;
    if (!seen.has(key)) cells.push({ source, index: operand.index });
    seen.add(key);
  };
  visit({ expr, index });
  return cells;
}
