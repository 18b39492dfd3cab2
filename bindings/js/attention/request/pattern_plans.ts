/** The plans of a call with a pattern: one for each batch entry and query head, the same one where they see the same. */
import { NULL_PTR, type CallArena, type Ptr } from '../../call/call_arena.ts';
import type { PlaceFields, PlannedPairs } from '../options/pattern_source.ts';
import type { AttentionSpec } from '../options/attention_spec.ts';

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
    edges: Number(spec.hasEdges),
  };
}

/** Gives the table of plans, with or without the positional masks; the first time each is asked for, its compiling is planned. */
export type PlanTables = (ruled: boolean) => Ptr;

/** NULL_PTR throughout where no pattern is, or no pair: dense attention. */
export function planPatterns(arena: CallArena, spec: AttentionSpec, pairs: PlannedPairs): PlanTables {
  const { pattern, planTable, causal, windowLeft, windowRight, keyLengths, direction } = spec;
  if (pattern === null || planTable === null || pairs.queries * pairs.keys === 0) return () => NULL_PTR;
  const isRuled = causal || windowLeft >= 0 || windowRight >= 0 || keyLengths !== null || direction > 0;
  const tables = new Map<boolean, Ptr>();
  return (asked) => {
    const ruled = asked && isRuled;
    const table = tables.get(ruled) ?? planTable(arena, pattern, pairs, (b, h) => placeFields(spec, pairs, b, h, ruled));
    tables.set(ruled, table);
    return table;
  };
}
