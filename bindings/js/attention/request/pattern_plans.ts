/** The plans of a call with a pattern: one for each batch entry and query head, the same one where they see the same. */
import { PATTERN_BLOCK, type PatternBlock } from '../../../../build/generated/abi.ts';
import { NULL_PTR, type CallArena, type Ptr } from '../../call/call_arena.ts';
import type { Range } from './slice_request.ts';
import type { Plan } from '../../runtime/plan_cache.ts';
import type { Program } from '../options/pattern_source.ts';
import type { AttentionSpec } from '../options/attention_spec.ts';

/** The pairs that plans are for: `queries` from `row` on, of some batch entries and query heads. */
export interface PlannedPairs {
  readonly batch: Range;
  readonly head: Range;
  readonly row: number;
  readonly queries: number;
  readonly keys: number;
}

/** The core's description of one batch entry and head: positions, and positional masks unless they are left out. */
export type PlaceFields = Pick<
  PatternBlock,
  | 'queries'
  | 'keys'
  | 'appendedKeys'
  | 'batch'
  | 'head'
  | 'offset'
  | 'length'
  | 'causal'
  | 'windowLeft'
  | 'windowRight'
  | 'direction'
>;

export function placeFields(spec: AttentionSpec, pairs: PlannedPairs, b: number, h: number, ruled = true): PlaceFields {
  const { queries, row } = pairs;
  const keys = pairs.keys - spec.appendedKeys;
  return {
    queries,
    keys,
    appendedKeys: spec.appendedKeys,
    // A head or batch entry that makes no difference to the pattern makes none to the plan.
    batch: spec.pattern?.perBatch === true ? b : 0,
    head: spec.pattern?.perHead === true ? h : 0,
    offset: row + (spec.offsets?.[b] ?? 0),
    length: ruled ? (spec.keyLengths?.[b] ?? keys) : keys,
    causal: Number(ruled && spec.causal),
    windowLeft: ruled ? spec.windowLeft : -1,
    windowRight: ruled ? spec.windowRight : -1,
    direction: ruled ? spec.direction : 0,
  };
}

/** Gives the table of plans, with or without the positional masks; the first time each is asked for, its compiling is planned. */
export type PlanTables = (ruled: boolean) => Ptr;

/** NULL_PTR throughout where no pattern is, or no pair: dense attention. */
export function planPatterns(arena: CallArena, spec: AttentionSpec, pairs: PlannedPairs): PlanTables {
  const { pattern, causal, windowLeft, windowRight, keyLengths, direction } = spec;
  if (pattern === null || pairs.queries * pairs.keys === 0) return () => NULL_PTR;
  const isRuled = causal || windowLeft >= 0 || windowRight >= 0 || keyLengths !== null || direction > 0;
  const tables = new Map<boolean, Ptr>();
  return (asked) => {
    const ruled = asked && isRuled;
    const table = tables.get(ruled) ?? planTable(arena, pattern, pairs, (b, h) => placeFields(spec, pairs, b, h, ruled));
    tables.set(ruled, table);
    return table;
  };
}

/** Reserves the table and plans its filling. */
function planTable(
  arena: CallArena,
  program: Program,
  { batch, head }: PlannedPairs,
  fieldsOf: (b: number, h: number) => PlaceFields,
): Ptr {
  const heads = head[1] - head[0];
  const table = arena.reserve(4 * (batch[1] - batch[0]) * heads);
  const made = arena.reserve(8);
  const { plans } = arena.instance;
  const run = (): void => {
    const used = new Map<string, Plan>();
    let words = 0;
    for (let b = batch[0]; b < batch[1]; b++) {
      for (let h = head[0]; h < head[1]; h++) {
        const fields = fieldsOf(b, h);
        const key = plans.keyOf(program, Object.values(fields));
        let plan = used.get(key);
        if (plan === undefined) {
          const own = plans.use(key, () => {
            words ||= placeWords(arena, program.words);
            return compile(arena, { ...fields, program: words, programWords: program.words.length, plan: made.address });
          });
          arena.onRelease(() => plans.leave(own));
          used.set(key, own);
          plan = own;
        }
        const entry = (b - batch[0]) * heads + h - head[0];
        arena.heap.words(table.address + 4 * entry, 1)[0] = plan.address;
      }
    }
    if (words !== 0) arena.free(words);
  };
  arena.steps.push({ operation: null, run });
  return table;
}

/** A copy of a program in wasm memory. */
export function placeWords(arena: CallArena, words: Int32Array): number {
  const address = arena.alloc(4 * words.length);
  arena.heap.integers(address, words.length).set(words);
  return address;
}

function compile(arena: CallArena, fields: Partial<PatternBlock>): { address: number; bytes: number } {
  arena.run('compilePattern', PATTERN_BLOCK, fields);
  const [address, bytes] = arena.heap.words(fields.plan!, 2) as unknown as [number, number];
  return { address, bytes };
}
