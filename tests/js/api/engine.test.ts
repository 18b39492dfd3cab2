/** The crossing, with a module that refuses, traps, and answers with every status. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as ops from 'fovea/ops';
import { AttentionError } from '../../../bindings/js/errors/errors.ts';
import { fakeFovea as fake, STATUSES } from '../support/fake_core.ts';

const thrown = (what: unknown): never => {
  throw what;
};
const run = (instance: ReturnType<typeof fake>) => instance.attention([[1]], [[1]], [[1]]);
const throwsCode = (code: string, message: RegExp, call: () => unknown): void =>
  assert.throws(call, (error) => error instanceof AttentionError && error.code === code && message.test(error.message));

test('a workspace that is refused is a memory error that names its bytes, and the instance works on', () => {
  let refuse = true;
  const fovea = fake({ attention: () => (refuse ? 5 : 0), refusedBytes: () => 4_000_000_000 });
  throwsCode('memory', /^attention: .*4000000000 bytes/, () => run(fovea));
  assert.equal(fovea.memory().live, 0);
  refuse = false;
  run(fovea);
});

test('any other status is internal: validation should have caught it', () => {
  for (const status of [1, 2, 3, 4, 6, 7]) {
    const fovea = fake({ attention: () => status });
    throwsCode('internal', new RegExp(`the core reported '${STATUSES[status]}'`), () => run(fovea));
    assert.equal(fovea.memory().live, 0);
  }
});

test('an allocation that is refused frees what the call had', () => {
  let left = 1;
  const fovea = fake({ allocate: () => (left-- > 0 ? 4096 : 0) });
  const x = fovea.tensor([[1]]);
  throwsCode('memory', /^attention: WebAssembly memory refused \d+ bytes; 16 are in use$/, () =>
    fovea.attention(x, [[1]], [[1]]),
  );
  assert.equal(fovea.memory().live, 16);
  x.dispose();
  assert.equal(fovea.memory().live, 0);
  assert.equal(fovea.tensor([[2]]).data.byteOffset, 4096);
});

test('Tensors made for a call that then fails are freed', () => {
  const fovea = fake({ attention: () => 7 });
  const x = fovea.tensor([[1]]);
  throwsCode('internal', /internal/, () => fovea.attention(x, x, x, { returnWeights: true }));
  assert.equal(fovea.memory().live, 16);
});

test('whatever is thrown from inside is a trap, and nothing is called afterwards', () => {
  for (const error of [
    new WebAssembly.RuntimeError('unreachable'),
    new RangeError('Maximum call stack size exceeded'),
    'odd',
  ]) {
    let calls = 0;
    const count = (): number => (calls++, 0);
    const fovea = fake({
      matmul: () => {
        throw error;
      },
      attention: count,
      release: () => void calls++,
    });
    throwsCode('internal', /^matmul: the WebAssembly module trapped \(.+\); make a new instance with load\(\)$/, () =>
      ops.matmul(fovea as never, [[1]], [[1]]),
    );
    throwsCode('internal', /^attention: the WebAssembly module trapped in an earlier call/, () => run(fovea));
    assert.equal(calls, 0);
  }
});

test('the numbers of allocate are read as unsigned', () => {
  const fovea = fake({ allocate: () => -(2 ** 31) });
  assert.throws(() => fovea.tensor([1]), RangeError); // the fake memory ends before that address
});

test('dispose stops the threads and ends their workers; a trap only ends them, as threads may wait for ever', () => {
  const told: string[] = [];
  const threads = { stopThreads: () => void told.push('stop') };
  const end = () => void told.push('end');
  const fovea = fake(threads, end);
  run(fovea);
  assert.deepEqual(told, []);
  fovea.dispose();
  fovea.dispose();
  assert.deepEqual(told, ['stop', 'end']);

  told.length = 0;
  // The glue throws this out of a call whose threads are not all alive.
  const broken = fake({ ...threads, attention: () => thrown('unwind') }, end);
  throwsCode('internal', /^attention: the WebAssembly module trapped \(one of its threads has ended\); make a new/, () =>
    run(broken),
  );
  assert.deepEqual(told, ['end']);
  throwsCode('internal', /trapped in an earlier call/, () => run(broken));
  broken.dispose();
  assert.deepEqual(new Set(told), new Set(['end']));
});

/** A module that notes which of its functions are called. */
function noting(): { fovea: ReturnType<typeof fake>; calls: string[] } {
  const calls: string[] = [];
  let top = 1024;
  const fovea = fake({
    allocate: (bytes) => (calls.push('allocate'), (top += bytes) - bytes),
    release: () => void calls.push('release'),
    attention: () => (calls.push('attention'), 0),
  });
  return { fovea, calls };
}

test('a dense call is one call of the module once its memory is there, whatever it is asked for', () => {
  const { fovea, calls } = noting();
  const rows = [[1], [2], [3]];
  const options = [
    {},
    { causal: true, returnWeights: true, returnLse: true },
    { mask: [[true, false, true]], scale: 2, sinks: 1, keyLengths: [2] },
    { softcap: 3, window: [1, 0], normalizer: 'sigmoid' },
  ] as const;
  for (const option of options) fovea.attention(rows, rows, rows, option);
  assert.equal(calls[0], 'allocate');
  calls.length = 0;
  for (const option of options) fovea.attention(rows, rows, rows, option);
  assert.deepEqual(
    calls,
    options.map(() => 'attention'),
  );
});

test('Tensors that are disposed leave their memory to the next of their size', () => {
  const { fovea, calls } = noting();
  const x = fovea.tensor([[1], [2]]);
  fovea.attention(x, x, x).output.dispose();
  calls.length = 0;
  for (let i = 0; i < 3; i++) fovea.attention(x, x, x).output.dispose();
  fovea.attention(x, x, x, { out: { output: x.clone() } }).output.dispose();
  assert.deepEqual(calls, ['attention', 'attention', 'attention', 'attention']);
  const held = Array.from({ length: 3 }, () => fovea.attention(x, x, x).output);
  assert.equal(new Set(held.map(({ data }) => data.byteOffset)).size, 3);
  for (const one of held) one.dispose();
  x.dispose();
  assert.equal(fovea.memory().live, 0);
});

test('what is kept for later is given back where memory is short', () => {
  let refuse = false;
  const sizes = new Map<number, number>();
  let top = 1024;
  const fovea = fake({
    allocate(bytes) {
      if (refuse && sizes.size > 0) return 0;
      sizes.set((top += bytes) - bytes, bytes);
      return top - bytes;
    },
    release: (address) => void sizes.delete(address),
  });
  fovea.tensor([1]).dispose();
  fovea.attention([[1]], [[1]], [[1]]);
  assert.equal(sizes.size, 2);
  refuse = true;
  const x = fovea.tensor([1, 2, 3, 4, 5]);
  assert.deepEqual([...sizes.values()], [32]);
  x.dispose();
});
