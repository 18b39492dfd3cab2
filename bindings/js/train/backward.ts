/** The tape, walked from its end to its beginning: each operation's gradient by what it has read. */
import { emptyRecord } from '../errors/options.ts';
import type { Heap } from '../runtime/heap.ts';
import type { Instance } from '../runtime/instance.ts';
import type { Gradients } from './gradients.ts';
import type { Fields, Nested, Rule } from './rule.ts';
import { ruleOf } from './rules.ts';
import type { Tape, TapeEntry } from './tape.ts';

/** Room for the largest block of a gradient, and for the blocks that it points to. */
const BLOCK_BYTES = 512;
const ROOM_BYTES = 2 * BLOCK_BYTES;

type GradientFields = Record<string, number>;

/** Adds the derivative of the number at `loss` by each variable to the gradients. */
export function walkBack(instance: Instance, fn: string, tape: Tape, gradients: Gradients, loss: number): void {
  const { heap, engine } = instance;
  heap.floats(gradients.at(loss), 1)[0] = 1;
  const room = heap.allocateForCall(fn, ROOM_BYTES);
  try {
    for (let n = tape.entries.length - 1; n >= 0; n--) {
      const entry = tape.entries[n]!;
      if (entry.outputs.some((address) => gradients.found(address) !== 0)) {
        const rule = ruleOf(entry.operation);
        const fields = fieldsOf(heap, room + BLOCK_BYTES, entry, rule, tape, gradients);
        heap.write(rule.backward!.block, room, fields as never);
        engine.run(fn, rule.backward!.operation, room);
      }
      gradients.freeWrittenBy(n, entry.outputs);
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
  const { more, writes } = rule.backward!;
  const wanted = emptyRecord<number>();
  wanted.forward = forward;
  // Before the gradients that are added to: those may be the same memory.
  if (writes !== undefined) wanted.fresh = claimWhole(rule, fields, writes(fields), gradients, wanted);
  addGradients(rule, fields, gradients, wanted);
  let next = room;
  for (const name in rule.nested) {
    const nested = rule.nested[name]!;
    const block = tape.block(fields[name] ?? 0);
    if (block === undefined) continue;
    if (nested.backward === null) {
      addGradients(nested, block, gradients, wanted);
      continue;
    }
    const own = emptyRecord<number>();
    addGradients(nested, block, gradients, own);
    heap.write(nested.backward, next, own as never);
    wanted[gradientName(name)] = next;
    next += nested.backward.bytes;
  }
  return more === undefined ? wanted : Object.assign(wanted, more(fields, gradients));
}

/** A bit for each input whose gradient is written, as nothing was added to it so far. */
function claimWhole(
  { inputs }: Rule,
  fields: Fields,
  bytes: readonly number[],
  gradients: Gradients,
  into: GradientFields,
): number {
  let claimed = 0;
  bytes.forEach((size, n) => {
    const name = inputs[n]!;
    const address = gradients.claim(fields[name] ?? 0, size);
    if (address === 0) return;
    into[gradientName(name)] = address;
    claimed |= 1 << n;
  });
  return claimed;
}

/** The addresses of the gradients of the arrays that fields point to. */
function addGradients(
  { inputs, outputs }: Pick<Nested, 'inputs' | 'outputs'>,
  fields: Fields,
  gradients: Gradients,
  into: GradientFields,
): void {
  for (const name of outputs) into[gradientName(name)] = gradients.found(fields[name] ?? 0);
  for (const name of inputs) into[gradientName(name)] ??= gradients.at(fields[name] ?? 0);
}

const gradientNames = new Map<string, string>();

/** dX of x. */
function gradientName(name: string): string {
  const known = gradientNames.get(name);
  if (known !== undefined) return known;
  const made = `d${name[0]!.toUpperCase()}${name.slice(1)}`;
  gradientNames.set(name, made);
  return made;
}
