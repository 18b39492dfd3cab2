/** The steps in which a number of an expression came about, and the cells that took part. */
import type { Expr, Index, Operand, Operation, Source } from './expr.ts';

export interface Cell {
  readonly source: Source;
  readonly index: Index;
}

export interface Step {
  readonly operation: Operation;
  /** Numbers in the order of the arithmetic; products of a dot in pairs. */
  readonly values: readonly number[];
  /** The arrays that they are from; none for what was computed on the way. */
  readonly sources: readonly Source[];
  /** The operand at the number's own place, of what needs a whole line. */
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
      values: operands.map((operand) => operand.expr.at(operand.index)),
      sources: operands.map((operand) => sourceOf(operand)).filter((source) => source !== null),
      focus: expr.focus(index),
      value: expr.at(index),
    });
    open = [...behind(expr, index, operands), ...open];
  }
  return steps;
}

/** The operands whose own arithmetic is told next: of a line the one at the number's place, of a product the term that counts most. */
function behind(expr: Expr, index: Index, operands: readonly Operand[]): Operand[] {
  const computed = (list: readonly (Operand | undefined)[]): Operand[] =>
    list.filter((operand) => operand !== undefined).filter(({ expr }) => !isKnown(expr));
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

function sourceOf({ expr, index }: Operand): Source | null {
  if (expr.source) return expr.source;
  const [only] = expr.operation === 'copy' ? expr.operands(index) : [];
  return only ? sourceOf(only) : null;
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
