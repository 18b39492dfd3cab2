/** The plans of a call: a pattern compiled for each batch entry and query head, once where they see the same. */
import { PATTERN_BLOCK, type PatternBlock } from '../../../build/generated/blocks/pattern.ts';
import { placeWords } from '../attention/request/pattern_pairs.ts';
import type { PairFields, PlannedPairs, Program } from '../attention/options/pattern_source.ts';
import { someFields, type CallArena } from '../call/call_arena.ts';
import type { Ptr } from '../call/ptr.ts';
import { plansOf, type Plan } from './plan_cache.ts';

/** Reserves the table and plans its filling. */
export function planTable(
  arena: CallArena,
  program: Program,
  { batch, head }: PlannedPairs,
  fieldsOf: (b: number, h: number) => PairFields,
): Ptr {
  const heads = head[1] - head[0];
  const table = arena.reserve(4 * (batch[1] - batch[0]) * heads);
  const made = arena.reserve(8);
  const plans = plansOf(arena.instance);
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

function compile(arena: CallArena, fields: Partial<PatternBlock>): { address: number; bytes: number } {
  arena.run('compilePattern', PATTERN_BLOCK, someFields(fields));
  const [address, bytes] = arena.heap.words(fields.plan!, 2) as unknown as [number, number];
  return { address, bytes };
}
