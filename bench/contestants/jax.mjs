// jax-js on its wasm backend: jit(nn.dotProductAttention). Arrays live in its memory, in the one layout it has, [B, T, H, D]; the
// result stays there.

import { swapAxes } from '../arrays.mjs';
import { pretendProcessors } from './processors.mjs';

export async function load({ threads, environment }) {
  // It starts as many workers as the machine is said to have processors, and none without SharedArrayBuffer.
  if (threads === 1) delete globalThis.SharedArrayBuffer;
  else if (environment.browser) pretendProcessors(threads);
  const { defaultDevice, init, jit, nn, numpy } = await import('@jax-js/jax');
  await init('wasm');
  defaultDevice('wasm');
  const threaded = typeof SharedArrayBuffer !== 'undefined' && typeof Worker !== 'undefined';
  return { info: { threads: threaded ? threads : 1, variant: 'wasm' }, prepare };

  function prepare(shape, { q, k, v }) {
    const { heads, kvHeads, queries, keys, width, causal, window } = shape;
    const array = (values, h, t) => numpy.array(swapAxes(values, [h, t, width])).reshape([1, t, h, width]);
    const inputs = [array(q, heads, queries), array(k, kvHeads, keys), array(v, kvHeads, keys)];
    const rules = { isCausal: causal, ...(window === null ? {} : { localWindowSize: window }) };
    const attention = jit((query, key, value) => nn.dotProductAttention(query, key, value, rules));
    let result = null;
    return { run, output };

    async function run() {
      result?.dispose();
      result = attention(...inputs.map((input) => input.ref));
      await result.blockUntilReady();
    }

    async function output() {
      return swapAxes(await result.ref.data(), [queries, heads, width]);
    }
  }
}
