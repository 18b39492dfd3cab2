/** Random parameters: normals of the core's generator, by the parameter's name, alike in all engines. */
import { NORMALS_BLOCK } from '../../../build/generated/blocks/normals.ts';
import { fail } from '../errors/errors.ts';
import type { CallArena } from './call_arena.ts';
import type { Ptr } from './ptr.ts';

export interface Normals {
  /** The parameter's name: parameters of other names have other numbers. */
  readonly name: string;
  /** 0 to 2^53 - 1. */
  readonly seed: number;
  readonly count: number;
  /** Their standard deviation. */
  readonly scale: number;
}

/** Drawing takes about ten times as long as writing to memory, so that larger arrays would take minutes. */
const MOST = 2 ** 28;

/** Plans the step that writes the normals to `y`. A `memory` error for more than MOST of them. */
export function fillNormals(arena: CallArena, y: Ptr, { name, ...fields }: Normals): void {
  if (fields.count > MOST)
    fail('memory', arena.fn, `random arrays have at most ${4 * MOST} bytes (1 GiB), got ${4 * fields.count} for ${name}`);
  const run = (): void => arena.run('parameterNormals', NORMALS_BLOCK, { ...fields, name: hashOf(name), y: y.address });
  arena.steps.push({ operation: null, run });
}

/** FNV-1a (32 bit) of the name's bytes in UTF-8. */
function hashOf(name: string): number {
  let hash = 2166136261;
  for (const character of name) for (const byte of utf8(character.codePointAt(0)!)) hash = Math.imul(hash ^ byte, 16777619);
  return hash >>> 0;
}

/** The bytes of one code point. An audio worklet has no TextEncoder. */
function utf8(code: number): number[] {
  if (code < 0x80) return [code];
  const size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  const rest = Array.from({ length: size - 1 }, (_, n) => 0x80 | ((code >> (6 * (size - 2 - n))) & 63));
  return [((0xf00 >> size) & 0xff) | (code >> (6 * (size - 1))), ...rest];
}
