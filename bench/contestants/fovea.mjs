// fovea through its public API, by the package's name.
//   resident: true    q, k, v and the output are Tensors; the output is written into the same Tensor each time (option `out`)
//   resident: false   plain arrays in, a fresh plain array out

import { randomGraph } from '../patterns.mjs';
import { dimensions } from '../shapes.mjs';
import { prepareEncoder } from './encoder.mjs';
import { prepareLinear } from './linear.mjs';

export async function load({ threads, options, environment }) {
  const { load } = await import(environment.fovea);
  const fovea = await load({ threads, deterministic: options.deterministic });
  const { variant, threads: got, fallbackReason } = fovea.info;
  return { info: { variant, threads: got, note: fallbackReason }, prepare: options.resident ? prepareResident : prepareArrays };

  async function prepareResident(shape, arrays) {
    if (shape.encoder !== null) return await prepareEncoder(fovea, shape, arrays, options, environment);
    if (shape.linear !== null) return await prepareLinear(fovea, shape, arrays, environment);
    if (shape.float16) return await prepareCache(shape, arrays);
    const { q, k, v } = withShapes(shape, arrays);
    const tensors = { q: fovea.tensor(q), k: fovea.tensor(k), v: fovea.tensor(v) };
    const output = fovea.tensor({ data: new Float32Array(q.data.length), shape: q.shape });
    const settings = { ...(await rulesOf(shape, environment)), out: { output } };
    return {
      run() {
        fovea.attention(tensors.q, tensors.k, tensors.v, settings);
      },
      output: () => output.toArray().data,
    };
  }

  /** Keys and values in a cache of float16, whose numbers they are. */
  async function prepareCache(shape, arrays) {
    const { kvCache } = await import(environment.foveaCache);
    const { q, k, v } = withShapes(shape, arrays);
    const { kvHeads, width, keys: capacity } = shape;
    const cache = kvCache(fovea, { kvHeads, width, capacity, dtype: 'float16' });
    cache.append(k, v);
    const query = fovea.tensor(q);
    const output = fovea.tensor({ data: new Float32Array(q.data.length), shape: q.shape });
    const settings = { out: { output } };
    return {
      run() {
        fovea.attention(query, cache, settings);
      },
      output: () => output.toArray().data,
    };
  }

  async function prepareArrays(shape, arrays) {
    if (shape.encoder !== null) return await prepareEncoder(fovea, shape, arrays, options, environment);
    const { q, k, v } = withShapes(shape, arrays);
    const settings = await rulesOf(shape, environment);
    let result;
    return {
      run() {
        result = fovea.attention(q, k, v, settings);
      },
      output: () => result.output.data,
    };
  }
}

/** Milliseconds from `load` to a first small result, its code and the bytes of its wasm file being there. */
export async function start({ threads, environment }) {
  const { load } = await import(environment.fovea);
  const { variant, wasmBinary } = await fetchVariant(threads, environment);
  const x = { data: new Float32Array(16 * 16).fill(0.5), shape: [16, 16] };

  const begin = performance.now();
  const fovea = await load({ threads, variant, wasmBinary });
  fovea.attention(x, x, x);
  return { milliseconds: performance.now() - begin, variant, threads: fovea.info.threads };
}

/** The file that `load` would take here. Nothing is compiled: an engine might keep that for later. */
async function fetchVariant(threads, environment) {
  for (const tier of ['relaxed', 'simd128']) {
    const variant = threads > 1 ? `${tier}-threads` : tier;
    const wasmBinary = await environment.foveaBytes(variant);
    if (WebAssembly.validate(wasmBinary)) return { variant, wasmBinary };
  }
  throw new Error('no variant of fovea runs here');
}

function withShapes(shape, { q, k, v }) {
  const dims = dimensions(shape);
  return { q: { data: q, shape: dims.q }, k: { data: k, shape: dims.kv }, v: { data: v, shape: dims.kv } };
}

async function rulesOf({ causal, window, pattern: rule, keys }, environment) {
  if (rule === null) return { causal, ...(window === null ? {} : { window: [window, window] }) };
  const { pattern } = await import(environment.foveaPattern);
  return { pattern: patternOf(rule) };

  function patternOf(rule) {
    const [[kind, given]] = Object.entries(rule);
    const [first, ...others] = kind === 'or' ? given.map(patternOf) : [];
    switch (kind) {
      case 'or':
        return first.or(...others);
      case 'window':
        return pattern.window(...given);
      case 'documents':
        return pattern.blockDiagonal(
          Array.from({ length: Math.ceil(keys / given) }, (_, n) => Math.min(given, keys - n * given)),
        );
      case 'graph':
        return pattern.graph(randomGraph(keys, given.edges, given.seed));
      default:
        return pattern[kind](given);
    }
  }
}
