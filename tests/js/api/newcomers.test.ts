/** Errors name what comes from other libraries, or a forgotten step, and say what to do. */
// In a process of its own: TensorFlow.js makes globals.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { tensor2d, variable } from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';
import { load, print, toNested } from 'fovea';
import { kvCache } from 'fovea/cache';
import { run } from 'fovea/catalog';
import { CausalDecoder, FeedForward, Linear, MultiHeadAttention, TransformerEncoderLayer } from 'fovea/nn';
import { linear, softmax } from 'fovea/ops';
import { linearAttention } from 'fovea/linear-attention';
import { pattern } from 'fovea/pattern';
import { connect } from 'fovea/worker';
import { fails, fovea } from '../support/api.ts';
import { rejects } from '../support/remote.ts';

const k = [
  [1, 0],
  [0, 1],
];
const v = [
  [1, 2],
  [3, 4],
];
const attend =
  (q: unknown, ...others: unknown[]) =>
  () =>
    fovea.attention(q as never, k, v, ...(others as []));

const remote = await connect();
after(() => remote.terminate());

test('a tensor of TensorFlow.js', async () => {
  const x = tensor2d([
    [1, 2],
    [3, 4],
  ]);
  const got = 'got a tensor of TensorFlow\\.js \\(pass \\{ data: x\\.dataSync\\(\\), shape: x\\.shape \\}\\)$';
  for (const given of [x, variable(x)])
    fails('value', new RegExp(`^attention: q must be \\{ data, shape \\}, a nested array or a Tensor, ${got}`), attend(given));
  fails('value', new RegExp(`^attention: q must hold numbers only, ${got}`), attend([x]));
  fails('value', new RegExp(`^tensor: x must be .*${got}`), () => fovea.tensor(x as never));
  const layer = new Linear(fovea, { inFeatures: 2, outFeatures: 2 });
  fails('value', new RegExp(`^Linear\\.loadStateDict: weight must be .*${got}`), () =>
    layer.loadStateDict({ weight: x as never, bias: [1, 2] }),
  );
  layer.dispose();
  const sent = remote.attention(x as never, k, v);
  await rejects('value', new RegExp(`^attention: q cannot be sent to a worker: it is ${got.slice(4)}`), sent);
  assert.deepEqual(
    toNested(fovea.attention({ data: x.dataSync() as Float32Array, shape: x.shape }, k, v).output),
    toNested(fovea.attention([[1, 2], [3, 4]], k, v).output),
  ); // prettier-ignore
});

test('a typed array with a shape of its own', async () => {
  const shaped = (property: string, shape: number[]) => Object.assign(new Float32Array([1, 2, 3, 4]), { [property]: shape });
  fails(
    'shape',
    /^attention: q must be \{ data, shape \}, a nested array or a Tensor, got a Float32Array of length 4 with a shape of its own \(pass \{ data: x, shape: x\.shape \}\)$/,
    attend(shaped('shape', [2, 2])),
  );
  fails('shape', /with a dims of its own \(pass \{ data: x, shape: x\.dims \}\)$/, attend(shaped('dims', [2, 2])));
  fails('shape', /^attention: q must be a list of rows, got a Float32Array of length 4 with a shape/, attend([shaped('shape', [2, 2])]));
  await rejects('shape', /^attention: q must be \{ data, shape \}, got a Float32Array .* \(pass /, remote.attention(shaped('shape', [2, 2]) as never, k, v));
  await rejects('shape', /^attention: q\[0\] must be \{ data, shape \}, got a Float32Array .* \(pass /, remote.attention([shaped('shape', [2, 2])], k, v));
  assert.deepEqual(fovea.tensor({ data: shaped('shape', [2, 2]), shape: [4, 1] }).shape, [4, 1], 'the shape beside it counts');
}); // prettier-ignore

test('a forgotten await', async () => {
  const promised = Promise.resolve([[1, 2]]);
  const loading = load();
  const awaited = /got a Promise \(await it\)$/;
  fails('value', /^attention: q must be .*, got a Promise \(await it\)$/, attend(promised));
  fails('value', /^attention: q must hold numbers only, got a Promise \(await it\)$/, attend([promised]));
  fails('value', /^attention: q\.data must be .*, got a Promise \(await it\)$/, attend({ data: promised, shape: [1, 2] }));
  fails('option', /^attention: options must be an object, got a Promise \(await it\)$/, () =>
    fovea.attention(k, k, v, Promise.resolve({ causal: true }) as never),
  );
  fails('value', awaited, () => fovea.attention(k, k, v, { mask: promised as never }));
  fails('value', /^softmax: fovea must be what load\(\) returned, on this thread, got a Promise \(await it\)$/, () =>
    softmax(loading as never, k),
  );
  fails('value', awaited, () => new Linear(loading as never, { inFeatures: 1, outFeatures: 1, seed: 1 }));
  fails('value', awaited, () => kvCache(loading as never, { kvHeads: 1, width: 1, capacity: 1 }));
  fails('value', awaited, () => run(loading as never, 'luong'));
  fails('option', awaited, () => run(fovea, 'luong', promised as never));
  fails('value', awaited, () => print(promised as never));
  const layer = new Linear(fovea, { inFeatures: 1, outFeatures: 1 });
  fails('value', /^Linear\.loadStateDict: weights must be a Map or an object of arrays, got a Promise \(await it\)$/, () =>
    layer.loadStateDict(promised as never),
  );
  layer.dispose();
  await rejects(
    'value',
    /^attention: q, a Promise \(await it\), cannot be sent to a worker$/,
    remote.attention(promised as never, k, v),
  );
  await assert.rejects(load({ wasmBinary: promised as never }), awaited);
  (await loading).dispose();
});

test('what holds its content another way is no object of options', () => {
  for (const [name, given] of [
    ['Map', new Map([['causal', true]])],
    ['Date', new Date()],
    ['Tensor', fovea.tensor(k)],
    ['Pattern', pattern.causal()],
  ] as const)
    fails('option', new RegExp(`^attention: options must be an object, got a ${name}$`), () =>
      fovea.attention(k, k, v, given as never),
    );
  class Options {
    readonly causal = true;
  }
  assert.deepEqual(
    toNested(fovea.attention(k, k, v, new Options()).output),
    toNested(fovea.attention(k, k, v, { causal: true }).output),
  );
});

test('values beside a cache', () => {
  const cache = kvCache(fovea, { kvHeads: 1, width: 2, capacity: 4 });
  cache.append([[[1, 0]]], [[[1, 2]]]);
  const rule =
    /^attention: a cache holds keys and values: append the values with it, and pass q, cache, options, got .* after the cache$/;
  const call = fovea.attention as (...args: unknown[]) => unknown;
  for (const values of [v, { data: new Float32Array(4), shape: [2, 2] }, fovea.tensor(v), [new Float32Array(2)]]) {
    fails('option', rule, () => call([[1, 0]], cache, values));
    fails('option', rule, () => call([[1, 0]], cache, values, { causal: true }));
  }
  fails('option', /^attention: with a cache the options are the third argument, got a fourth$/, () =>
    call([[1, 0]], cache, undefined, {}),
  );
  const place = /got a KvCache \(it stands for keys and values: attention\(q, cache, options\)\)$/;
  fails('value', place, () => call(cache, k, v));
  fails('value', place, () => call([[1, 0]], k, cache));
  cache.dispose();
});

test('options of a call to a worker, without one', () => {
  const { signal } = new AbortController();
  const layer = new MultiHeadAttention(fovea, { embedDim: 2, numHeads: 1, seed: 1 });
  const hint =
    /unknown option '(signal|onProgress|transfer)'; pass it to the functions of connect\(\) of fovea\/worker: a call on this thread runs to its end$/;
  for (const options of [{ signal }, { onProgress() {} }, { transfer: true }] as object[]) {
    fails('option', hint, () => fovea.attention(k, k, v, options));
    fails('option', hint, () => fovea.selfAttention(k, { Wq: k, Wk: k, Wv: k }, options));
    fails('option', hint, () => fovea.multiHeadAttention(k, k, v, { Wq: k, Wk: k, Wv: k }, { heads: 1, ...options }));
    fails('option', hint, () => fovea.combine([], options));
    fails('option', hint, () => linearAttention(fovea, k, k, v, options));
    fails('option', hint, () => layer.forward(k, options));
  }
  layer.dispose();
});

test('arguments in another order, and another order of axes', () => {
  const array = (...shape: number[]) => ({ data: new Float32Array(shape.reduce((a, b) => a * b, 1)), shape });
  const call = (...shapes: number[][]) => {
    const [q, key, value] = shapes.map((shape) => array(...shape));
    return (options = {}) => () => fovea.attention(q!, key!, value!, options);
  };
  fails('shape', /^attention: q and k must share their width, got q \[1, 3\], k \[2, 1\], v \[2, 3\]; are k and v exchanged\?$/, call([1, 3], [2, 1], [2, 3])());
  fails('shape', /^attention: k and v must have as many tokens as each other, got .*; are q and k exchanged\?$/, call([2, 3], [5, 3], [2, 3])());
  fails('shape', /got q \[1, 3\], k \[2, 1\], v \[2, 1\]$/, call([1, 3], [2, 1], [2, 1])());
  fails('shape', /^attention: the 7 heads of k and v must equal or divide the 5 of q, got .*; for \[B, T, H, D\] pass layout: 'bthd'$/, call([2, 5, 4, 8], [2, 7, 4, 8], [2, 7, 4, 8])());
  fails('shape', /; for \[T, H, D\] pass layout: 'bthd'$/, call([5, 4, 8], [7, 4, 8], [7, 4, 8])());
  fails('shape', /; for \[B, T, D\] pass layout: 'btd'$/, call([1, 5, 8], [2, 5, 8], [2, 5, 8])());
  fails('shape', /v \[2, 7, 4, 8\]$/, call([2, 4, 5, 8], [2, 7, 4, 8], [2, 7, 4, 8])({ layout: 'bthd' }));
  fails('shape', /; for \[B, T, H, D\] pass layout: 'bthd'$/, () => linearAttention(fovea, array(2, 5, 4, 8), array(2, 7, 4, 8), array(2, 7, 4, 8)));
  const mask = { data: new Uint8Array(25).fill(1), shape: [5, 5] };
  const turned = call([2, 5, 4, 8], [2, 5, 4, 8], [2, 5, 4, 8]);
  fails('shape', /^attention: mask must broadcast to \[B, H, Tq, Tk\] = \[2, 5, 4, 4\], got \[5, 5\]; if q and k are \[B, T, H, D\], pass layout: 'bthd'$/, turned({ mask }));
  turned({ mask, layout: 'bthd' })();
}); // prettier-ignore

test("Hugging Face's attention_mask, whose 1 is kept", () => {
  const module = new MultiHeadAttention(fovea, { embedDim: 2, numHeads: 1, seed: 1 });
  const forward = (options: object) => () => module.forward(k, options);
  for (const name of ['attention_mask', 'attentionMask'])
    fails('option', new RegExp(`unknown option '${name}'; use keyPaddingMask, which is its inverse: true = ignore the key$`), forward({ [name]: [1, 0] }));
  const inverse = "true = not allowed, the inverse of Hugging Face's attention_mask";
  fails('value', new RegExp(`keyPaddingMask of numbers is added, got only 0 and 1: pass true and false \\(${inverse}\\), or a Float32Array$`), forward({ keyPaddingMask: [1, 0] }));
  for (const data of [Int32Array.of(1, 0), BigInt64Array.of(1n, 0n)])
    fails('value', new RegExp(`keyPaddingMask must hold booleans \\(${inverse}\\), a Uint8Array or floats, got a ${data.constructor.name}$`), forward({ keyPaddingMask: { data, shape: [2] } }));
  fails('option', /^attention: unknown option 'key_padding_mask'; use mask, which is its inverse: true = attend, /, () => fovea.attention(k, k, v, { key_padding_mask: [true] } as object));
  fails('value', /^attention: mask\.data must be a Uint8Array or booleans \(0 or false = forbid\), .*, got a BigInt64Array$/, () => fovea.attention(k, k, v, { mask: { data: BigInt64Array.of(1n, 0n), shape: [2] } as never }));
  module.dispose();
}); // prettier-ignore

test('activations by the names of Hugging Face', () => {
  const remedies: readonly [names: string, remedy: string][] = [
    ['gelu_new gelu_fast gelu_pytorch_tanh', "use 'geluTanh'"],
    ['gelu_python', "use 'gelu'"],
    ['swish', "use 'silu'"],
    ['quick_gelu', "did you mean 'quickGelu'?"],
    ['linear identity', 'leave it out'],
    ['relu6 relu2', 'it is another function'],
    ['gelu_tanh', "did you mean 'geluTanh'?"],
  ];
  for (const [names, remedy] of remedies)
    for (const name of names.split(' ')) {
      const message = new RegExp(`activation must be 'relu' or .*, got '${name}'; ${remedy.replace(/[.?(){}]/g, '\\$&')}$`);
      const activation = name as 'relu';
      fails('option', message, () => linear(fovea, k, k, undefined, { activation }));
      fails('option', message, () => new Linear(fovea, { inFeatures: 2, outFeatures: 2, activation, seed: 1 }));
      fails('option', message, () => new FeedForward(fovea, { dModel: 2, activation, seed: 1 }));
      fails('option', message, () => new TransformerEncoderLayer(fovea, { dModel: 2, nHead: 1, activation, seed: 1 }));
      fails('option', message, () => new CausalDecoder(fovea, { dModel: 2, nHead: 1, numLayers: 1, vocabSize: 2, activation, seed: 1 }));
    }
  fails('option', /unknown option 'hidden_act'; use activation$/, () => new FeedForward(fovea, { dModel: 2, hidden_act: 'gelu_new' } as never));
  fails('option', /unknown option 'intermediate_size'; use dimFeedforward$/, () => new FeedForward(fovea, { dModel: 2, intermediate_size: 2 } as never));
}); // prettier-ignore

test('what lives in a worker, on this thread', async () => {
  const x = await remote.tensor(k);
  const got = /got a RemoteTensor \(it lives in a worker: pass await x\.toArray\(\)\)$/;
  fails('value', got, attend(x));
  fails('value', got, () => fovea.attention(k, x as never, v));
  fails('value', got, () => softmax(fovea, x as never));
  fails('value', got, () => fovea.selfAttention(k, { Wq: x as never, Wk: k, Wv: k }));
  fails('value', got, () => toNested(x as never));
  fails('value', /^softmax: fovea must be what load\(\) returned, on this thread, got an object$/, () =>
    softmax(remote as never, k),
  );
  x.dispose();
});

test('bytes that are no wasm', async () => {
  const text = new TextEncoder();
  const given: readonly [string, RegExp][] = [
    ['hello world', /its 11 bytes are not wasm: "hello world"/],
    ['<!doctype html>', /an HTML page came in its place \("<!doctype html>"\)/],
    ['', /it is empty/],
  ];
  for (const [content, why] of given) {
    await assert.rejects(load({ wasmBinary: text.encode(content) }), {
      code: 'load',
      message: new RegExp(`^load: no WebAssembly file in wasmBinary: ${why.source}; pass the bytes of the package's dist/fovea-\\*\\.wasm$`),
    });
    const url = `data:application/wasm;base64,${btoa(content)}`;
    await assert.rejects(load({ wasmUrl: url }), { code: 'load', message: new RegExp(`${why.source}; serve the package's dist`) });
  }
  await assert.rejects(load({ wasmUrl: `data:application/wasm;base64,${btoa('a'.repeat(1e5))}` }), (error: Error) => error.message.length < 500);
}); // prettier-ignore
