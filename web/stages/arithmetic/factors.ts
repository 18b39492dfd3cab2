/** A stage's formula as pictures and signs in a line: X · W_q. */
import { knownTo, type Run } from './derive.ts';
import type { Source } from './expr.ts';
import { arraysOf, type Named } from './letters.ts';
import type { Node } from './nodes.ts';
import { readFormula } from './tex.ts';

export type Factor = { readonly source: Source; readonly turned: boolean } | { readonly sign: string };
type Shape = readonly [rows: number, cols: number];

/**
 * The pictures and signs before a stage's own picture, the last sign being = or →. Null where the formula is more than a product, a sum, a scale, a
 * mask or softmax of matrices that it calls by their names, or where these do not have the sizes for it.
 *
 * @param columns in column notation the factors of a product stand the other way round
 */
export function factorsOf(run: Run, position: number, columns: boolean): readonly Factor[] | null {
  const stage = run.trace[position];
  const { right } = readFormula(stage?.formula ?? '');
  const [rows, cols] = stage?.shape ?? [];
  if (!stage || !right || stage.shape.length !== 2 || rows === undefined || cols === undefined) return null;
  const known = knownTo(run, position).filter(({ source, later }) => !later && source.name !== stage.name);
  const matrix = (node: Node): MatrixFactor | null => matrixOf(node, known, stage.name);
  const own: Shape = [rows, cols];
  const alike = (factors: readonly (MatrixFactor | null)[]): factors is MatrixFactor[] =>
    factors.every((factor) => factor && sizes(factor).join() === own.join());

  if (right.type === 'times') {
    const [first] = right.factors;
    if (first?.type === 'number') {
      const scaled = right.factors.slice(1).map(matrix);
      return scaled.length === 1 && alike(scaled) ? [...scaled, { sign: `× ${first.value}` }, EQUALS] : null;
    }
    const factors = right.factors.map(matrix);
    if (right.elementwise) return alike(factors) ? [...between(factors, '⊙'), EQUALS] : null;
    return isProduct(factors, own) ? [...between(columns ? [...factors].reverse() : factors, '·'), EQUALS] : null;
  }
  if (right.type === 'add') {
    const factors = right.terms.map(({ node }) => matrix(node));
    if (right.terms[0]?.sign !== 1 || !alike(factors)) return null;
    return [
      ...factors.flatMap((factor, n) => (n === 0 ? [factor] : [{ sign: right.terms[n]?.sign === 1 ? '+' : '−' }, factor])),
      EQUALS,
    ];
  }
  if (right.type === 'over') {
    const [above, below] = [matrix(right.top), written(right.bottom)];
    return alike([above]) && below !== null ? [above!, { sign: `÷ ${below}` }, EQUALS] : null;
  }
  if (right.type !== 'call' || right.args.length !== 1) return null;
  const inner = matrix(right.args[0]!);
  if (!alike([inner])) return null;
  if (right.name === 'cases') return [inner!, { sign: '→' }];
  return /^(?:softmax|sparsemax|entmax|tanh)$/.test(right.name) ? [{ sign: right.name }, inner!, EQUALS] : null;
}

interface MatrixFactor {
  readonly source: Source;
  readonly turned: boolean;
}
const EQUALS: Factor = { sign: '=' };

function matrixOf(node: Node, known: readonly Named[], near: string, turned = false): MatrixFactor | null {
  if (node.type === 'turned') return matrixOf(node.of, known, near, !turned);
  // φ(Q) is a letter of its own.
  const [inner] = node.type === 'call' ? node.args : [];
  const symbol =
    node.type === 'call' && node.name === 'phi' && inner?.type === 'symbol'
      ? { ...inner, name: `phi ${inner.name}` }
      : node.type === 'symbol'
        ? node
        : null;
  // The place before, as in z_{t−1}, is no array of its own.
  const [match] = symbol && !/[-+<]/.test(symbol.sub) ? arraysOf(symbol, known, near) : [];
  return match?.exact && match.named.source.shape.length === 2 ? { source: match.named.source, turned } : null;
}

function sizes({ source, turned }: MatrixFactor): Shape {
  const [rows = 0, cols = 0] = source.shape;
  return turned ? [cols, rows] : [rows, cols];
}

function isProduct(factors: readonly (MatrixFactor | null)[], own: Shape): factors is MatrixFactor[] {
  const all = factors.map((factor) => factor && sizes(factor));
  const fits = all.every((size, n) => size && (n === 0 || all[n - 1]?.[1] === size[0]));
  return fits && all[0]?.[0] === own[0] && all.at(-1)?.[1] === own[1];
}

const between = (factors: readonly MatrixFactor[], sign: string): Factor[] =>
  factors.flatMap((factor, n) => (n === 0 ? [factor] : [{ sign }, factor]));

/** A number, or the root of one. */
function written(node: Node): string | null {
  if (node.type === 'number') return String(node.value);
  const [inner] = node.type === 'call' && node.name === 'root' ? node.args : [];
  return inner?.type === 'number' ? `√${inner.value}` : null;
}
