/**
 * How the numbers of a stage came about, as its formula tells. A formula leaves open which axes meet and which array a letter
 * stands for: every reading is a candidate, and one is given only after it has reproduced all numbers of the stage.
 */
import type { TraceStage } from 'fovea';
import { Expr, indexOf, leaf, type Source } from './expr.ts';
import { arraysOf, type Named } from './letters.ts';
import { symbolsIn, type Formula } from './nodes.ts';
import { Readings } from './readings.ts';
import { argumentSources, stageSource } from './sources.ts';
import { readFormula } from './tex.ts';

export interface Run {
  readonly trace: readonly TraceStage[];
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Readings of a whole formula that are tried. */
const MOST_READINGS = 400;
/** The tolerance relative to the largest number of a stage: rounding of float32 along a few products and an exponential. */
const TOLERANCE = 3e-5;

/** The letter that each stage's formula defines. */
export const letterOf = ({ formula }: TraceStage): string | null => {
  const { left } = readFormula(formula);
  return left && left.name + (/^\d+$/.test(left.sup) ? left.sup : '');
};

/**
 * The expression whose numbers are those of the stage, or null where no reading of its formula gives them.
 *
 * @param other the same mechanism on other numbers, which the reading must reproduce as well
 */
export function derive(run: Run, position: number, other: Run | null = null): Expr | null {
  const steps = search(run, position, other);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** `derive` with a pause after each reading that does not hold: a page searches a few at a time. */
export function* search(run: Run, position: number, other: Run | null): Generator<undefined, Expr | null> {
  const stage = run.trace[position];
  if (!stage || stage.data.length === 0) return null;
  const checks = other?.trace[position];
  const againstOthers = other && checks ? candidates(other, position) : null;
  for (const expr of candidates(run, position)) {
    const twin = againstOthers?.next();
    if (reproduces(expr, stage)) {
      if (!checks || !twin) return expr;
      if (!twin.done && String(twin.value.shape) === String(expr.shape) && reproduces(twin.value, checks)) return expr;
    }
    yield;
  }
  return null;
}

/** All readings in the shape of the stage. Their order follows from names and shapes alone. */
function* candidates(run: Run, position: number): Generator<Expr, undefined> {
  const stage = run.trace[position];
  const formula = readFormula(stage?.formula ?? '');
  const { right } = formula;
  if (!stage || !right) return;
  const isNext = definesNext(formula);
  const readings = new Readings(stage, knownTo(run, position), isNext);
  for (const candidate of right.type === 'symbol' ? readings.ofLetter(right) : readings.of(right, MOST_READINGS))
    for (const expr of readings.shown(candidate)) yield isNext ? fromSecond(expr, stage) : expr;
}

/** u^{k+1} = …: every row but the first, which is given. */
const definesNext = ({ left }: Formula): boolean => left !== null && /\+1/.test(left.sub + left.sup);

function fromSecond(expr: Expr, stage: TraceStage): Expr {
  const given = leaf(stageSource(stage));
  return new Expr(
    expr.shape,
    'copy',
    (index) => [{ expr: index[0] === 0 ? given : expr, index }],
    ([value = NaN]) => value,
  );
}

/** The arrays that a stage's formula calls by name, as far as it can be read. */
export function namedIn(run: Run, position: number): Source[] {
  const stage = run.trace[position];
  const { right } = readFormula(stage?.formula ?? '');
  if (!stage || !right) return [];
  const known = knownTo(run, position).filter(({ source, later }) => !later && source.name !== stage.name);
  const matches = symbolsIn(right).flatMap((symbol) => arraysOf(symbol, known, stage.name).slice(0, 1));
  return [...new Set(matches.filter(({ exact }) => exact).map(({ named }) => named.source))];
}

/** Arguments and stages; the later ones for letters that name them, as a state that a step before has left. */
export function knownTo({ trace, inputs, params, options }: Run, position: number): Named[] {
  const given = [
    ...argumentSources('options', options),
    ...argumentSources('params', params),
    ...argumentSources('inputs', inputs),
  ].map((source) => ({ source, letter: null }));
  return [...given, ...trace.map((stage, n) => ({ source: stageSource(stage), letter: letterOf(stage), later: n > position }))];
}

export function reproduces(expr: Expr, { shape, data }: TraceStage): boolean {
  const most = data.reduce((largest, x) => (Number.isFinite(x) ? Math.max(largest, Math.abs(x)) : largest), 0);
  const allowed = TOLERANCE * most;
  return data.every((wanted, flat) => {
    const got = expr.at(indexOf(shape, flat));
    return wanted === got || Math.abs(wanted - got) <= allowed;
  });
}
