/** The tape, walked from its end to its beginning: each operation's gradient by what it has read. */
import type { Heap } from '../runtime/heap.ts';
import type { Instance } from '../runtime/instance.ts';
import type { Gradients } from './gradients.ts';
import { arraysOf, type Fields, type Nested, type Rule } from './rule.ts';
import { ruleOf } from './rules.ts';
import type { Tape, TapeEntry } from './tape.ts';

/** Room for the largest block of a gradient, and for the blocks that it points to. */
const BLOCK_BYTES = 512;
const ROOM_BYTES = 2 * BLOCK_BYTES;

/** Adds the derivative of the number at `loss` by each variable to the gradients. */
export function walkBack(instance: Instance, fn: string, tape: Tape, gradients: Gradients, loss: number): void {
  const { heap, engine } = instance;
  heap.floats(gradients.at(loss), 1)[0] = 1;
  const room = heap.allocateForCall(fn, ROOM_BYTES);
  try {
    for (let n = tape.entries.length - 1; n >= 0; n--) {
      const entry = tape.entries[n]!;
      const rule = ruleOf(entry.operation);
      const { outputs } = arraysOf(rule, entry.fields, tape);
      if (outputs.some((address) => gradients.found(address) !== 0)) {
        const fields = fieldsOf(heap, room + BLOCK_BYTES, entry, rule, tape, gradients);
        heap.write(rule.backward!.block, room, fields as never);
        engine.run(fn, rule.backward!.operation, room);
      }
      gradients.freeWrittenBy(n, outputs);
    }
  } finally {
    heap.releaseOfCall(room);
  }
}

/** The fields of the gradient's block; `room` is for the blocks to which it points. */
function fieldsOf(
  heap: Heap,
  room: number,
  { address: forward, fields }: TapeEntry,
  rule: Rule,
  tape: Tape,
  gradients: Gradients,
): Fields {
  const wanted: Record<string, number> = { forward, ...gradientsOf(rule, fields, gradients) };
  let next = room;
  for (const [name, nested] of Object.entries(rule.nested ?? {})) {
    const block = tape.block(fields[name] ?? 0);
    if (block === undefined) continue;
    const own = gradientsOf(nested, block, gradients);
    if (nested.backward === null) Object.assign(wanted, own);
    else {
      heap.write(nested.backward, next, own as never);
      wanted[gradientName(name)] = next;
      next += nested.backward.bytes;
    }
  }
  return { ...wanted, ...rule.backward!.more?.(fields, gradients) };
}

/** The addresses of the gradients of the arrays that fields point to. */
function gradientsOf({ inputs, outputs }: Pick<Nested, 'inputs' | 'outputs'>, fields: Fields, gradients: Gradients): Fields {
  return Object.fromEntries([
    ...outputs.map((name) => [gradientName(name), gradients.found(fields[name] ?? 0)]),
    ...inputs.map((name) => [gradientName(name), gradients.at(fields[name] ?? 0)]),
  ]) as Fields;
}

/** dX of x. */
function gradientName(name: string): string {
  return `d${name[0]!.toUpperCase()}${name.slice(1)}`;
}
