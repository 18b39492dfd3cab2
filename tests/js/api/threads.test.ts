/** Builds with threads: what they give, when they are not to be had, and that their workers end. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import * as ops from 'fovea/ops';
import { AttentionError, load, type Fovea, type LoadOptions } from 'fovea';
import * as inline from 'fovea/inline';
import { relaxedSimd } from 'wasm-feature-detect';
import { leavesNothing, numbers, same, works } from '../support/api.ts';

const file = (variant: string): string => fileURLToPath(import.meta.resolve(`fovea/wasm/${variant}.wasm`));
const bytesOf = (variant: string) => readFileSync(file(variant));
const best = (await relaxedSimd()) ? 'relaxed' : 'simd128';

/** The message with which `load` refuses. */
async function refusal(options: LoadOptions, loader: (options: LoadOptions) => Promise<Fovea> = load): Promise<string> {
  const error = await loader(options).then(
    () => assert.fail('it loaded'),
    (error: unknown) => error,
  );
  assert.ok(error instanceof AttentionError, String(error));
  return `${error.code}: ${error.message}`;
}

/** Runs `body` while a global, or a property of one, is something else. */
async function changed<R>(owner: object, name: string, value: unknown, body: () => Promise<R>): Promise<R> {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  try {
    return await body();
  } finally {
    if (before === undefined) Reflect.deleteProperty(owner, name);
    else Object.defineProperty(owner, name, before);
  }
}

test('threads are those asked for, on the tier that the engine has', async () => {
  for (const threads of [2, 3]) {
    const fovea = await load({ threads });
    const { version } = fovea.info;
    assert.deepEqual({ ...fovea.info }, { version, variant: `${best}-threads`, threads, fallbackReason: null });
    works(fovea);
    fovea.dispose();
  }
  const fovea = await load({ threads: 2, deterministic: true });
  assert.equal(fovea.info.variant, 'simd128-threads');
  fovea.dispose();
});

test("'auto' is as many as the machine runs at once, and at most 8", async () => {
  const { availableParallelism } = await import('node:os');
  const wanted = Math.min(availableParallelism(), 8);
  const fovea = await load({ threads: 'auto' });
  assert.deepEqual([fovea.info.threads, fovea.info.fallbackReason], [wanted, null]);
  fovea.dispose();
});

test('a pinned build with threads takes as many as are asked for, else as many as the machine runs', async () => {
  for (const [options, threads] of [
    [{ threads: 1 }, 1],
    [{ threads: 3 }, 3],
    [{}, (await load({ threads: 'auto' })).info.threads],
  ] as const) {
    const fovea = await load({ variant: 'simd128-threads', ...options });
    assert.deepEqual([fovea.info.variant, fovea.info.threads], ['simd128-threads', threads]);
    works(fovea);
    fovea.dispose();
  }
});

test('results are those of one thread to the last bit, and plain: no memory is shared with the caller', async () => {
  const one = await load({ deterministic: true });
  const [q, k, v] = [numbers([2, 3, 150, 24], 1), numbers([2, 3, 170, 24], 2), numbers([2, 3, 170, 40], 3)];
  for (const threads of [2, 3]) {
    const many = await load({ deterministic: true, threads });
    for (const options of [{}, { causal: true }, { window: [20, 9], softcap: 3 }] as const) {
      const all = { ...options, returnWeights: true, returnLse: true };
      const [got, want] = [leavesNothing(() => many.attention(q, k, v, all), many), one.attention(q, k, v, all)];
      for (const name of ['output', 'weights', 'lse'] as const) {
        same(got[name]!.data, want[name]!.data);
        assert.ok(got[name]!.data.buffer instanceof ArrayBuffer, name);
      }
    }
    const decode = numbers([2, 3, 1, 24], 4);
    same(many.attention(decode, k, v).output.data, one.attention(decode, k, v).output.data);
    same(ops.softmax(many, q).data, ops.softmax(one, q).data);
    const tensor = many.tensor(q);
    assert.ok(tensor.data.buffer instanceof SharedArrayBuffer);
    assert.ok(tensor.toArray().data.buffer instanceof ArrayBuffer);
    many.dispose();
  }
});

test('memory grows, Tensors stay, and their data is the memory itself', async () => {
  const fovea = await load({ threads: 2 });
  const x = fovea.tensor([1, 2, 3]);
  const before = fovea.memory().total;
  const large = fovea.tensor({ data: new Float32Array(2 ** 24), shape: [2 ** 24] });
  assert.ok(fovea.memory().total > before);
  x.data[1] = 7;
  same(x.toArray().data, Float32Array.of(1, 7, 3));
  works(fovea);
  large.dispose();
  fovea.dispose();
});

test('more than the pool holds are asked for: it runs with what there are and says so', async () => {
  const fovea = await load({ threads: 40 });
  assert.deepEqual(
    [fovea.info.threads, fovea.info.fallbackReason],
    [32, '40 threads were asked for, 32 work: 32 are the most'],
  );
  works(fovea);
  fovea.dispose();
});

test('instances with threads share nothing, and one outlives the other', async () => {
  const [a, b] = await Promise.all([load({ threads: 2 }), load({ threads: 3 })]);
  a.tensor([1, 2]);
  assert.equal(b.memory().live, 0);
  a.dispose();
  works(b);
  b.dispose();
  assert.deepEqual(a.memory(), { live: 0, total: 0 });
});

test('where memory cannot be shared it runs with one thread and says why; a pinned build is a load error', async () => {
  const cases: [owner: object, name: string, value: unknown, why: string][] = [
    [globalThis, 'SharedArrayBuffer', undefined, 'this engine has no SharedArrayBuffer'],
    [globalThis, 'crossOriginIsolated', false, 'this page is not cross-origin isolated'],
  ];
  for (const [owner, name, value, why] of cases) {
    await changed(owner, name, value, async () => {
      for (const threads of [2, 'auto'] as const) {
        const { info } = await load({ threads });
        assert.deepEqual([info.variant, info.threads], [best, 1]);
        assert.ok(info.fallbackReason?.startsWith(why), String(info.fallbackReason));
        assert.match(info.fallbackReason ?? '', /; it runs with one thread$/);
      }
      assert.equal((await load({ threads: 1 })).info.fallbackReason, null);
      const message = `load: load: the variant 'simd128-threads' cannot run: ${why}`;
      assert.ok((await refusal({ variant: 'simd128-threads' })).startsWith(message));
      assert.match(
        await refusal({ wasmBinary: bytesOf('simd128-threads') }),
        /is a build with threads, which cannot run: this/,
      );
    });
  }
});

test('memory of 2 GiB, 1 GiB or 512 MiB is taken, whichever the engine gives; none of them, and it runs with one thread', async () => {
  const { Memory } = WebAssembly;
  const upTo = (pages: number) =>
    function (descriptor: WebAssembly.MemoryDescriptor) {
      if ((descriptor.maximum ?? 0) > pages) throw new RangeError('could not allocate memory');
      return new Memory(descriptor);
    };
  for (const pages of [32768, 16384, 8192]) {
    await changed(WebAssembly, 'Memory', upTo(pages), async () => {
      const fovea = await load({ threads: 2 });
      assert.deepEqual([fovea.info.threads, fovea.info.fallbackReason], [2, null]);
      // The product alone is as large as the maximum, of which the module itself takes a MiB.
      const bytes = pages * 2 ** 16 - 2 ** 20;
      assert.throws(
        () => ops.matmul(fovea, numbers([pages * 2, 1]), numbers([1, 8192])),
        (error) => error instanceof AttentionError && error.code === 'memory' && error.message.includes(`it has ${bytes}`),
      );
      works(fovea);
      fovea.dispose();
    });
  }
  await changed(WebAssembly, 'Memory', upTo(8191), async () => {
    const { info } = await load({ threads: 2 });
    assert.deepEqual([info.variant, info.threads], [best, 1]);
    assert.match(info.fallbackReason ?? '', /^this engine refuses shared memory, of 512 MiB too \(could not allocate memory\)/);
    assert.match(await refusal({ variant: 'simd128-threads' }), /'simd128-threads' cannot run: this engine refuses shared/);
  });
});

test('fovea/inline has one thread, and says so', async () => {
  for (const threads of [2, 'auto'] as const) {
    const { info } = await inline.load({ threads });
    assert.equal(info.threads, 1);
    assert.match(info.fallbackReason ?? '', /^'fovea\/inline' carries the build with one thread alone; import from 'fovea'/);
  }
  assert.match(await refusal({ variant: 'simd128-threads' }, inline.load), /'simd128-threads' cannot run: 'fovea\/inline'/);
});

test('a module given with threads must be a build with threads, and one without needs none', async () => {
  const x = numbers([9, 5]);
  const want = (await load({ deterministic: true })).attention(x, x, x).output.data;
  const bytes = bytesOf('simd128-threads');
  for (const source of [
    { wasmBinary: bytes },
    { wasmModule: await WebAssembly.compile(bytes) },
    { wasmUrl: file('simd128-threads') },
  ]) {
    for (const threads of [1, 2]) {
      const fovea = await load({ ...source, threads });
      assert.deepEqual([fovea.info.variant, fovea.info.threads], ['simd128-threads', threads]);
      same(fovea.attention(x, x, x).output.data, want);
      fovea.dispose();
    }
  }
  const { info } = await load({ wasmBinary: bytes });
  assert.equal(info.threads, (await load({ threads: 'auto' })).info.threads, 'as a pinned build');

  const one = { wasmBinary: bytesOf('simd128') };
  const wrong = /^load: load: the module given is a build with one thread; pass fovea-simd128-threads\.wasm or/;
  for (const options of [{ threads: 2 }, { threads: 'auto' }, { variant: 'simd128-threads' }] as const)
    assert.match(await refusal({ ...one, ...options }), wrong);
  assert.match(
    await refusal({ wasmBinary: bytes, variant: 'simd128' }),
    /'simd128' was asked for, but the module given is 'simd1/,
  );
  assert.match(await refusal({ wasmUrl: '/nowhere/x.wasm', threads: 2 }), /x\.wasm: ENOENT/);
  assert.match(await refusal({ wasmBinary: bytes.subarray(0, 5000), threads: 2 }), /5000 bytes\) does not compile/);
});

test('a build with one thread pinned and threads asked for contradict each other', async () => {
  for (const threads of [2, 'auto'] as const)
    assert.match(
      await refusal({ variant: 'simd128', threads }),
      /^option: load: the variant 'simd128' has one thread, got threads/,
    );
  assert.match(
    await refusal({ variant: 'relaxed-threads', deterministic: true }),
    /^option: load: deterministic means the variant 'simd128', got variant 'relaxed-threads'$/,
  );
  if (best === 'simd128')
    assert.match(await refusal({ variant: 'relaxed-threads' }), /no relaxed SIMD; pin 'simd128-threads'$/);
});

/** Runs a program of its own; returns what it prints. It fails if the program is not done in time. */
const program = (text: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '-e', text], { encoding: 'utf8', timeout: 20_000 });

test('a script with threads ends by itself, disposed or not', () => {
  for (const end of ['', 'f.dispose();'])
    assert.equal(
      program(
        `import { load } from 'fovea'; import { softmax } from 'fovea/ops'; const f = await load({ threads: 3 }); softmax(f, [1, 2]); console.log(f.info.threads); ${end}`,
      ),
      '3\n',
    );
});

test('a worker of the program may load with threads too', () => {
  const worker = `Promise.all([import('fovea'), import('fovea/ops')]).then(async ([{ load }, { softmax }]) => {
    const f = await load({ threads: 2 });
    console.log(f.info.threads, softmax(f, [[1, 1]]).data.join());
  })`;
  const text = `import { Worker } from 'node:worker_threads'; new Worker(${JSON.stringify(worker)}, { eval: true });`;
  assert.equal(program(text), '2 0.5,0.5\n');
});

test('memory refused and the file missing at once leave no promise unheard', () => {
  const text = `import { load } from 'fovea';
    const { Memory } = WebAssembly;
    WebAssembly.Memory = function (d) { if (d.shared) throw new RangeError('no'); return new Memory(d); };
    const error = await load({ threads: 2, wasmUrl: '/nowhere/x.wasm' }).catch((error) => error);
    await new Promise((done) => setTimeout(done, 50));
    console.log(error.code);`;
  assert.equal(program(text), 'load\n');
});

test('dispose ends the workers; what fails to load leaves none', { skip: process.platform !== 'linux' }, async () => {
  const count = () => readdirSync('/proc/self/task').length;
  const settled = async (limit: number) => {
    for (let tries = 0; count() > limit && tries < 200; tries++) await new Promise((done) => setTimeout(done, 10));
    return count();
  };
  const fovea = await load({ threads: 2 });
  const before = count();
  const more = await load({ threads: 4 });
  assert.ok(count() >= before + 3, 'the threads are seen');
  more.dispose();
  assert.ok((await settled(before)) <= before);
  assert.match(await refusal({ wasmBinary: bytesOf('simd128'), threads: 4 }), /one thread/);
  assert.match(await refusal({ wasmBinary: bytesOf('simd128-threads'), threads: 4, variant: 'relaxed-threads' }), /load:/);
  assert.ok((await settled(before)) <= before);
  fovea.dispose();
});

test('threads work where the program itself has a window, a Worker and flags of its own, and leave no global', () => {
  const names = 'Object.keys(globalThis).sort().join()';
  assert.equal(
    program(
      `import { load } from 'fovea'; const before = ${names}; const f = await load({ threads: 2 }); console.log(f.info.threads, before === ${names});`,
    ),
    '2 true\n',
  );
});
