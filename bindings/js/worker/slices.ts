/**
 * A call in slices: between two of them it can be watched, or given up. A slice of at least 64 rows has the bits of the
 * whole, so nothing of fewer than 128 rows is cut, and what is left of the last 64 goes with the last slice. With a pattern this holds
 * for the units of its plan alone.
 */
import { ATTENTION_BLOCK, type AttentionBlock } from '../../../build/generated/blocks/attention.ts';
import { MATMUL_BLOCK } from '../../../build/generated/blocks/matmul.ts';
import { runWhole, type Call } from '../call/call.ts';
import type { AttentionOperation, Step } from '../call/step.ts';
import type { CallArena } from '../call/call_arena.ts';
import { MIN_BITWISE_ROWS, sliceRequest } from '../attention/request/slice_request.ts';
import type { Progress } from './call_options.ts';

/** Says how long slices are. */
export interface Pace {
  /** In milliseconds. */
  now(): number;
  /** How many rows the next slice should have, where the last had `rows` and took `milliseconds`: a multiple of 64. */
  nextRows(rows: number, milliseconds: number): number;
  /** Where the shortest slice of rows has more work in all heads together, batch entries and then heads follow one another. */
  readonly mostWork: number;
}

/** One piece of a call. */
interface Slice {
  readonly work: number;
  readonly run: () => void;
}

/**
 * Does the call slice by slice, and yields how far it has come after each. `return()` ends it early and
 * frees what it holds, results included.
 */
export function* inSlices<R>({ arena, result }: Call<R>, pace: Pace): Generator<Progress, R, void> {
  try {
    arena.commit();
    const total = arena.steps.reduce((sum, step) => sum + workOf(step), 0);
    let done = 0;
    for (const step of arena.steps) {
      for (const { work, run } of slicesOf(arena, step, pace)) {
        run();
        done += work;
        yield { done, total };
      }
    }
    return arena.succeed(result());
  } finally {
    arena.release();
  }
}

/** About its multiply-adds; never 0, so that a part of the total can be told. */
function workOf(step: Step): number {
  if (step.operation === null) return 1;
  if (step.operation !== 'matmul') return attentionWork(step.operation, step.fields());
  const { rows, inner, columns } = step.fields();
  return rows * productWork(inner, columns);
}

/** The work of one row. */
function productWork(inner: number, columns: number): number {
  return inner * columns + 1;
}

function attentionWork(operation: AttentionOperation, fields: AttentionBlock): number {
  const { batch, heads, queries, keys, width, valueWidth } = fields;
  return batch * heads * queries * (keys * (operation === 'attention' ? width + valueWidth : width) + 1);
}

function* slicesOf(arena: CallArena, step: Step, pace: Pace): Generator<Slice, void, void> {
  if (step.operation === null) {
    yield { work: 1, run: () => runWhole(arena, step) };
  } else if (step.operation === 'matmul') {
    const fields = step.fields();
    const { inner, columns, a, aRow, c, cRow } = fields;
    yield* new Rows(pace).cut(fields.rows, productWork(inner, columns), (from, to) =>
      arena.run('matmul', MATMUL_BLOCK, { ...fields, rows: to - from, a: a + 4 * from * aRow, c: c + 4 * from * cRow }),
    );
  } else {
    const fields = step.fields();
    const cut = fields.plans === 0 ? attentionSlices : plannedSlices;
    yield* cut(arena, step.operation, fields, pace);
  }
}

/** A call with a pattern, in the units that its plans are made of: each counts as the shortest slice of rows, and as equal work. */
function* plannedSlices(
  arena: CallArena,
  operation: AttentionOperation,
  fields: AttentionBlock,
  pace: Pace,
): Generator<Slice, void, void> {
  const units = arena.count('unitCount', fields);
  const total = attentionWork(operation, fields);
  const workUpTo = (unit: number): number => (unit === units ? total : Math.floor((total / units) * unit));
  let length = 1;
  // Without a unit there is one slice all the same: it writes the rows that have no keys.
  for (let from = 0; from < Math.max(units, 1);) {
    const unitFrom = from;
    const unitTo = Math.min(units, from + length);
    const run = (): void => {
      const start = pace.now();
      arena.run(operation, ATTENTION_BLOCK, { ...fields, unitFrom, unitTo });
      length = Math.max(1, pace.nextRows(MIN_BITWISE_ROWS * length, pace.now() - start) / MIN_BITWISE_ROWS);
    };
    yield { work: workUpTo(unitTo) - workUpTo(unitFrom), run };
    from = Math.max(unitTo, 1);
  }
}

function* attentionSlices(
  arena: CallArena,
  operation: AttentionOperation,
  fields: AttentionBlock,
  pace: Pace,
): Generator<Slice, void, void> {
  const { batch, heads, queries } = fields;
  const rowWork = attentionWork(operation, fields) / queries;
  const least = rowWork * (isCut(queries) ? MIN_BITWISE_ROWS : queries);
  const batchesAtOnce = least > pace.mostWork ? 1 : batch;
  const headsAtOnce = least / batch > pace.mostWork ? 1 : heads;
  const rows = new Rows(pace);
  for (let b = 0; b < batch; b += batchesAtOnce) {
    for (let h = 0; h < heads; h += headsAtOnce) {
      const part = sliceRequest(fields, [b, b + batchesAtOnce], [h, h + headsAtOnce]);
      yield* rows.cut(queries, (rowWork / batch / heads) * batchesAtOnce * headsAtOnce, (queryFrom, queryTo) =>
        arena.run(operation, ATTENTION_BLOCK, { ...part, queryFrom, queryTo }),
      );
    }
  }
}

function isCut(rows: number): boolean {
  return rows >= 2 * MIN_BITWISE_ROWS;
}

/** Cuts rows into slices, each as long as the time of the one before advises; the first is the shortest. */
class Rows {
  readonly #pace: Pace;
  #length = MIN_BITWISE_ROWS;

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  *cut(rows: number, rowWork: number, compute: (from: number, to: number) => void): Generator<Slice, void, void> {
    for (let from = 0; from < rows;) {
      const first = from;
      const last = !isCut(rows) || rows - from - this.#length < MIN_BITWISE_ROWS;
      const to = last ? rows : from + this.#length;
      const run = (): void => {
        const start = this.#pace.now();
        compute(first, to);
        this.#length = this.#pace.nextRows(to - first, this.#pace.now() - start);
      };
      yield { work: (to - first) * rowWork, run };
      from = to;
    }
  }
}
