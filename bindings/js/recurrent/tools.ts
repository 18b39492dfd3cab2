/** What recurrent layers and positions work with on an instance, once its module is known to read their blocks. */
import type { CoreModule } from '../abi.ts';
import { describe, fail } from '../errors.ts';
import type { Operand } from '../operands.ts';
import { toolsOf, type Tools } from '../programs.ts';
import { isContiguous, rowMajor, sizeOf } from '../shapes.ts';

export type { Tools } from '../programs.ts';

type HashName = { [Name in keyof CoreModule]: Name extends `${string}AbiHash` ? Name : never }[keyof CoreModule];

/** The instances whose module is known to read the blocks that are written here, by the blocks. */
const matching = new Map<HashName, WeakSet<Tools>>();

export function checkedTools(
  fn: string,
  fovea: unknown,
  hash: HashName,
  blocks: readonly (readonly string[])[],
  entry: string,
): Tools {
  const tools = toolsOf(fovea);
  if (tools === undefined)
    return fail('value', fn, `fovea must be what load() returned, on this thread, got ${describe(fovea)}`);
  const core = tools.instance.engine.check(fn);
  const known = matching.get(hash) ?? new WeakSet();
  if (!known.has(tools) && core[hash]?.() >>> 0 !== tools.abiHash(blocks))
    fail('load', fn, `the .wasm file is of another version than ${entry}; take both from one package`);
  matching.set(hash, known.add(tools));
  return tools;
}

/** An array argument whose elements follow each other: a slice of a Tensor is copied. */
export function readContiguous(tools: Tools, fn: string, name: string, input: unknown): Operand {
  const operand = tools.readOperand(tools.instance, fn, name, input);
  const { shape, strides, address } = operand;
  if (address === null || isContiguous(shape, strides)) return operand;
  const data = new Float32Array(sizeOf(shape));
  tools.gather(tools.instance.heap, address, shape, strides, data);
  return { ...operand, strides: rowMajor(shape), address: null, data, kind: 'Float32Array' };
}
