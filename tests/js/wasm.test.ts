/** The contents of the .wasm files that the package ships: instructions, imports, and the micro-kernels as functions. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { root } from './support/repository.ts';
import { sizesByFamily } from './support/wasm_families.ts';
import { readWasm, type Instruction } from './support/wasm_file.ts';

const [MUL, ADD, DIVIDE, RELAXED_MADD] = [0xfd00e6, 0xfd00e4, 0xfd00e7, 0xfd0105];
/** f64x2.relaxed_madd, and i32x4.relaxed_dot_i8x16_i7x16_add_s, whose operands are such that every engine gives the same. */
const [RELAXED_MADD_F64, RELAXED_DOT] = [0xfd0107, 0xfd0113];
const [SPLAT, LOAD_SPLAT, VECTOR_CONSTANT] = [0xfd0013, 0xfd0009, 0xfd000c];
const isRelaxed = ({ code }: Instruction) => code >= 0xfd0100 && code <= 0xfd0113;

/** (func (result v128) i8x16.relaxed_swizzle of two zeros), or i8x16.swizzle: 0x100 or 0x0e. */
const smallestModule = (...swizzle: number[]) =>
  Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0],
    ...[10, 13 + swizzle.length, 1, 11 + swizzle.length, 0, 0x41, 0, 0xfd, 15, 0x41, 0, 0xfd, 15, 0xfd, ...swizzle, 0x0b],
  );

const simd128 = shipped('simd128');
const relaxed = shipped('relaxed');
const simd128Threads = shipped('simd128-threads');
const relaxedThreads = shipped('relaxed-threads');
const isRelaxedBuild = (file: typeof relaxed) => file === relaxed || file === relaxedThreads;
const isThreaded = (file: typeof relaxed) => file === simd128Threads || file === relaxedThreads;

function shipped(variant: string) {
  const bytes = readFileSync(fileURLToPath(import.meta.resolve(`fovea/wasm/${variant}.wasm`)));
  const built = join(root, `build/wasm-${variant}/web`);
  // Emscripten's minimal runtime, which the builds with one thread have, names it so.
  const symbols = variant.endsWith('threads') ? 'fovea.mjs.symbols' : 'fovea.symbols';
  assert.ok(
    bytes.equals(readFileSync(join(built, 'fovea.wasm'))),
    `${variant}: dist is older than the build, run "npm run build"`,
  );
  return { variant, bytes, ...readWasm(bytes), names: readSymbolMap(join(built, symbols)) };
}

/** emcc's --emit-symbol-map: the name of each function of the very file that ships, by index, without parameters. */
function readSymbolMap(path: string): string[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const names = lines.map((line) => line.slice(line.indexOf(':') + 1));
  return names.map((name) =>
    name.replace(/\\([0-9a-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))).replace(/(?<=\w)\(.*/, ''),
  );
}

test('simd128 runs wherever SIMD does, relaxed only where relaxed SIMD is', () => {
  assert.ok(WebAssembly.validate(smallestModule(0x0e)), 'the module that the test asks with is a valid one');
  for (const { bytes } of [simd128, simd128Threads]) assert.ok(WebAssembly.validate(bytes));
  for (const { bytes } of [relaxed, relaxedThreads])
    assert.equal(WebAssembly.validate(bytes), WebAssembly.validate(smallestModule(0x80, 2)));
});

test('simd128 has no relaxed instruction, relaxed has relaxed_madd, the dot product of 8-bit weights and no other', () => {
  const codes = (file: typeof relaxed) =>
    new Set(
      file.bodies
        .flat()
        .filter(isRelaxed)
        .map(({ code }) => code),
    );
  for (const file of [simd128, simd128Threads]) assert.deepEqual([...codes(file)], []);
  for (const file of [relaxed, relaxedThreads])
    assert.deepEqual([...codes(file)].sort(), [RELAXED_MADD, RELAXED_MADD_F64, RELAXED_DOT]);
});

for (const file of [simd128, relaxed, simd128Threads, relaxedThreads]) {
  test(`${file.variant}: the symbol map is of this file`, () => {
    assert.equal(file.names.length, file.importedFunctions + file.bodies.length);
  });

  test(`${file.variant}: nearly all of the code is of a known part of the core, and none has half of it`, (t) => {
    const families = sizesByFamily(file.names.slice(file.importedFunctions), file.sizes);
    const total = file.sizes.reduce((sum, size) => sum + size, 0);
    for (const [family, size] of families) t.diagnostic(`${family}: ${size} bytes, ${((100 * size) / total).toFixed(1)} %`);
    assert.ok((families.get('other') ?? 0) < 0.05 * total);
    assert.ok(Math.max(...families.values()) < 0.5 * total);
  });

  const rows = isRelaxedBuild(file) ? 6 : 4;

  /** The instructions of a kernel that is a function of its own, and those of its innermost loops. */
  const kernel = (name: string) => {
    const index = file.names.indexOf(name);
    assert.ok(index >= 0, `${name} was inlined: V8 would stay in baseline code for the whole of a long first call`);
    const body = file.bodies[index - file.importedFunctions] as readonly Instruction[];
    const deepest = Math.max(...body.map(({ loops }) => loops));
    const called = file.bodies.flat().some(({ callee }) => callee === index);
    assert.ok(called, `${name} is called`);
    const inner = body.filter(({ loops }) => loops === deepest);
    return { body, count: (...codes: number[]) => inner.filter(({ code }) => codes.includes(code)).length };
  };

  for (const name of ['fovea::multiply_panels', 'fovea::accumulate_panels', 'fovea::accumulate_rows']) {
    test(`${file.variant}: ${name} is a function of its own, a ${rows}×8 tile and nothing else in its inner loop`, () => {
      const { body, count } = kernel(name);
      const products = isRelaxedBuild(file) ? count(RELAXED_MADD) : count(MUL);
      assert.ok(products >= 2 * rows && products % (2 * rows) === 0, `${products} products in the inner loop`);
      assert.equal(count(MUL), count(ADD), 'a product without its sum');
      assert.equal(count(SPLAT, LOAD_SPLAT), products / 2, 'each row is spread once for its 8 columns');
      assert.equal(body.filter(({ callee }) => callee !== undefined).length, 0, 'it calls nothing');
    });
  }

  test(`${file.variant}: the loop of additive scores has a quotient for each row, and makes no vector constant`, () => {
    const { body, count } = kernel('fovea::additive_scores');
    const quotients = count(DIVIDE);
    assert.ok(quotients >= rows && quotients % rows === 0, `${quotients} quotients`);
    assert.equal(count(RELAXED_MADD, MUL), 3 * quotients, 'two for each of tanh, and one for each of ReLU');
    assert.equal(count(VECTOR_CONSTANT), 0);
    const called = body.flatMap(({ callee }) => (callee === undefined ? [] : [file.names[callee]!]));
    assert.ok(
      called.every((name) => name.includes('additive_scores') && name.includes('LeakyReluOfSum')),
      'it calls the loop of LeakyReLU alone',
    );
  });

  test(`${file.variant}: the loop of exponentials makes no vector constant, which V8 would make anew each time`, () => {
    const { count } = kernel('fovea::exponentiate');
    assert.ok(count(RELAXED_MADD, MUL) >= 7, 'it is the loop with the polynomial');
    assert.equal(count(VECTOR_CONSTANT), 0);
  });

  test(`${file.variant} imports only what Embind, memory growth and its threads need`, () => {
    const alone = /^(legalimport\$)?_embind_register_\w+$|^emscripten_resize_heap$|^_emscripten_memcpy_js$/;
    // exit, abort and fd_write: of Emscripten's own code for threads, when it finds itself broken.
    const threads =
      /^__pthread_create_js$|^_emscripten_(init_main_thread|receive_on_main_thread)_js$|^_emscripten_(thread|notify)_\w+$|^emscripten_(check_blocking_allowed|exit_with_live_runtime|get_now)$|^exit$|^_abort_js$|^__wasi_fd_write$/;
    const needed = isThreaded(file) ? new RegExp(`${alone.source}|${threads.source}`) : alone;
    assert.equal(file.otherImports, isThreaded(file) ? 1 : 0, 'the memory that threads share');
    assert.deepEqual(
      file.names.slice(0, file.importedFunctions).filter((name) => !needed.test(name)),
      [],
    );
  });

  test(`${file.variant}: memory as load makes it or its own of up to 4 GiB; nothing of the machine that built it`, () => {
    const expected = isThreaded(file)
      ? { initial: 256, maximum: 32768, shared: true }
      : { initial: 256, maximum: 65536, shared: false };
    assert.deepEqual(file.memory, expected);
    assert.deepEqual(file.customSections, []);
    assert.doesNotMatch(file.bytes.toString('latin1'), /\/(home|root|tmp|work|usr|Users)\//);
  });
}

test('both tiers import and export the same under the same names, so one glue serves both', () => {
  const outside = ({ names, importedFunctions, exports }: typeof relaxed) => [names.slice(0, importedFunctions), exports];
  assert.equal(simd128.exports.length, 3, 'memory, table, constructors');
  assert.deepEqual(outside(relaxed), outside(simd128));
  assert.deepEqual(outside(relaxedThreads), outside(simd128Threads));
});
