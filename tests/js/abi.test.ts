/** The parameter blocks: what is made of their one description. The C++ compiler checks its part by static_assert. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript';
import * as generated from '../../build/generated/abi.ts';
import { abiHash, abiModule, blockModule, blocks, enumModule, enums, layOut, swaps, type Blocks } from './support/abi.ts';

const constantName = (name: string): string => name.replace(/(?<!^)[A-Z]/g, '_$&').toUpperCase();

/** The exports of a generated module. */
async function exportsOf(module: string): Promise<Readonly<Record<string, unknown>>> {
  const { outputText } = ts.transpileModule(module, { compilerOptions: { module: ts.ModuleKind.ESNext } });
  return (await import(`data:text/javascript,${encodeURIComponent(outputText)}`)) as Readonly<Record<string, unknown>>;
}

const readers: Record<string, (view: DataView, at: number) => number> = {
  u32: (view, at) => view.getUint32(at, true),
  i32: (view, at) => view.getInt32(at, true),
  f32: (view, at) => view.getFloat32(at, true),
  f64: (view, at) => view.getFloat64(at, true),
  u64: (view, at) => Number(view.getBigUint64(at, true)),
};

/** A value that is whole only in a field of its type. */
const samples: Record<string, number> = { u32: 2 ** 32 - 3, i32: -5, f32: 1.5, f64: 1e300, u64: 2 ** 53 - 7 };

/** Writes the block over ones and reads every field back. */
async function checkWriter(name: string, block: Blocks[string], isGiven: (index: number) => boolean): Promise<void> {
  const { [`${constantName(name)}_BLOCK`]: writer } = await exportsOf(blockModule(name, block));
  const { write, bytes } = writer as generated.Block<Record<string, number>>;
  const { fields, bytes: wantedBytes } = layOut(block);
  assert.equal(bytes, wantedBytes);
  assert.ok(bytes <= generated.MAX_BLOCK_BYTES);
  const memory = new ArrayBuffer(Math.ceil(bytes / 8) * 8 + 32);
  new Uint8Array(memory).fill(0xff);
  const views = { i32: new Int32Array(memory), f32: new Float32Array(memory), f64: new Float64Array(memory) };
  const valueOf = (type: string): number => samples[type] ?? samples['u32']!;
  write(views, 16, Object.fromEntries(fields.filter((_, n) => isGiven(n)).map(({ name, type }) => [name, valueOf(type)])));
  const view = new DataView(memory);
  fields.forEach(({ name: field, type, offset }, n) => {
    const read = readers[type] ?? readers['u32']!;
    assert.equal(read(view, 16 + offset), isGiven(n) ? valueOf(type) : 0, `${name}.${field}`);
  });
  for (const outside of [8, 16 + bytes]) assert.equal(view.getBigInt64(outside), -1n, `${name}: around the block`);
}

test('every field is written where the C++ struct has it, and as its type; one that is not given is 0', async () => {
  for (const [name, block] of Object.entries(blocks)) {
    await checkWriter(name, block, () => true);
    await checkWriter(name, block, () => false);
    await checkWriter(name, block, (n) => n % 3 === 0);
  }
});

test('the writers follow the description', async () => {
  const swapped = swaps({ Only: { a: 'u32', b: 'f64', c: 'const f32*' } })[0]!;
  await checkWriter('Only', swapped['Only']!, () => true);
  assert.deepEqual(
    layOut(swapped['Only']!).fields.map(({ name, offset }) => [name, offset]),
    [
      ['b', 0],
      ['a', 8],
      ['c', 12],
    ],
  );
  const { ABI_HASH, MAX_BLOCK_BYTES } = await exportsOf(abiModule(swapped));
  assert.equal(ABI_HASH, abiHash(swapped));
  assert.equal(MAX_BLOCK_BYTES, 16);
});

test('the hash tells order, names and types apart', () => {
  const hashes = swaps(blocks).map((swapped) => abiHash(swapped));
  assert.equal(new Set([abiHash(), ...hashes]).size, hashes.length + 1);
  assert.equal(generated.ABI_HASH, abiHash());
  const one = (block: Blocks[string]): number => abiHash({ Only: block });
  assert.notEqual(one({ a: 'u32' }), one({ a: 'i32' }));
  assert.notEqual(one({ a: 'u32' }), one({ b: 'u32' }));
  assert.notEqual(one({ a: 'f32*' }), one({ a: 'const f32*' }));
  const choice = (...names: string[]): number => abiHash({}, { Only: names });
  assert.notEqual(choice('a', 'b'), choice('b', 'a'));
  assert.notEqual(choice('a'), choice('a', 'b'));
});

test('the names of an enum are in order what JavaScript reads', async () => {
  for (const [name, names] of Object.entries(enums))
    assert.deepEqual({ ...(await exportsOf(enumModule(name, names))) }, { [constantName(name)]: names });
});

test('a type that no field can have is refused', () => {
  for (const type of ['u8', 'int', '']) assert.throws(() => layOut({ a: type }), /no field can be of the type/);
});
