/** The plans of a call with a pattern: one for each batch entry and query head, the same one where they see the same. */
import type { CallArena } from '../../call/call_arena.ts';
import { NULL_PTR, type Ptr } from '../../call/ptr.ts';
import type { PairFields, PlannedPairs } from '../options/pattern_source.ts';
import type { AttentionSpec } from '../options/attention_spec.ts';

export function pairFields(
  spec: AttentionSpec,
  pairs: PlannedPairs,
  b: number,
  h: number,
  withPositionalMask = true,
): PairFields {
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
    length: withPositionalMask ? (spec.keyLengths?.[b] ?? keys) : keys,
    causal: Number(withPositionalMask && spec.causal),
    windowLeft: withPositionalMask ? spec.windowLeft : -1,
    windowRight: withPositionalMask ? spec.windowRight : -1,
    direction: withPositionalMask ? spec.direction : 0,
    edges: Number(spec.hasEdges),
  };
}

/** Gives the table of plans, with or without the positional masks; the first time each is asked for, its compiling is planned. */
export type PlanTables = (withPositionalMask: boolean) => Ptr;

/** NULL_PTR throughout where no pattern is, or no pair: dense attention. */
export function planPatterns(arena: CallArena, spec: AttentionSpec, pairs: PlannedPairs): PlanTables {
  const { pattern, planTable, causal, windowLeft, windowRight, keyLengths, direction } = spec;
  if (pattern === null || planTable === null || pairs.queries * pairs.keys === 0) return () => NULL_PTR;
  const hasPositionalMask = causal || windowLeft >= 0 || windowRight >= 0 || keyLengths !== null || direction > 0;
  const tables = new Map<boolean, Ptr>();
  return (wanted) => {
    const withPositionalMask = wanted && hasPositionalMask;
    const table =
      tables.get(withPositionalMask) ??
      planTable(arena, pattern, pairs, (b, h) => pairFields(spec, pairs, b, h, withPositionalMask));
    tables.set(withPositionalMask, table);
    return table;
  };
}
