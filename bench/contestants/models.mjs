// A model from a folder of Hugging Face, in a page: by fovea/models, or by transformers.js. Each way has `run(input)`, the whole work of a
// user's call, and `output(input)`, the numbers that are compared; an input is texts, or for a decoder { ids, tokens }.

import { makeArrays } from '../arrays.mjs';
import { prepareEncoder } from './encoder.mjs';

const folder = (id) => `/build/bench/models/${id}/`;

/** @returns {Promise<Record<string, { run: (input: any) => Promise<unknown>, output: (input: any) => Promise<number[]> }>>} by way */
export function openModel(model, { by, ways, threads, environment }) {
  return by === 'fovea' ? openFovea(model, ways, threads, environment) : openTransformers(model, ways, threads, environment);
}

async function openFovea(model, ways, threads, environment) {
  const [{ load }, { loadEncoder, loadDecoder }] = await Promise.all([
    import(environment.fovea),
    import(environment.foveaModels),
  ]);
  const fovea = await load({ threads });
  const opened = {};
  for (const way of ways) {
    const dtype = way.endsWith('int8') ? 'int8' : 'float32';
    if (way === 'layers') opened[way] = await layersAlone(fovea, model, environment);
    else if (model.kind === 'encoder') opened[way] = embedding(await loadEncoder(fovea, folder(model.id), { dtype }));
    else opened[way] = generating(await loadDecoder(fovea, folder(model.id), { dtype, tokenizer: null }), fovea);
  }
  return opened;
}

const embedding = (encoder) => ({
  run: (texts) => encoder.embed(texts),
  output: async (texts) => Array.from((await encoder.embed(texts)).data),
});

const generating = (decoder) => ({
  async run({ ids, tokens }) {
    const start = performance.now();
    let first;
    for await (const _ of decoder.generate(ids, { maxTokens: tokens })) first ??= performance.now() - start;
    return { first, whole: performance.now() - start };
  },
  async output({ ids }) {
    const { data, shape } = await decoder.logits(ids);
    return Array.from(data.slice(-shape[1]));
  },
});

/** The encoder's layers by fovea/nn, from a Tensor to a Tensor: what `embed` cannot be faster than. Its input is how many tokens. */
async function layersAlone(fovea, model, environment) {
  const made = new Map();
  const layersOf = async (queries) => {
    if (!made.has(queries)) {
      const shape = { ...model, queries };
      made.set(queries, await prepareEncoder(fovea, shape, makeArrays(shape), { resident: true }, environment));
    }
    return made.get(queries);
  };
  return {
    run: async (tokens) => (await layersOf(tokens)).run(),
    output: async () => [],
  };
}

async function openTransformers(model, ways, threads, environment) {
  const { env, pipeline, AutoModelForCausalLM, Tensor } = await import(environment.transformers);
  Object.assign(env, { allowLocalModels: true, allowRemoteModels: false });
  env.localModelPath = '/build/bench/models/';
  env.useBrowserCache = false;
  env.backends.onnx.wasm.wasmPaths = environment.transformersWasm;
  env.backends.onnx.wasm.numThreads = threads;
  const opened = {};
  for (const way of ways) {
    const options = {
      ...{ dtype: way.endsWith('q8') ? 'q8' : 'fp32', device: 'wasm' },
      ...(way.includes('three') ? { model_file_name: 'three_products' } : {}),
    };
    opened[way] =
      model.kind === 'encoder'
        ? extracting(await pipeline('feature-extraction', model.id, options))
        : writing(await AutoModelForCausalLM.from_pretrained(model.id, options), Tensor);
  }
  return opened;
}

const extracting = (extractor) => {
  const embed = (texts) => extractor(texts, { pooling: 'mean', normalize: true });
  return { run: embed, output: async (texts) => Array.from((await embed(texts)).data) };
};

const writing = (model, Tensor) => {
  const inputs = (ids) => ({
    input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
    attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), [1, ids.length]),
  });
  return {
    async run({ ids, tokens }) {
      const start = performance.now();
      const times = [];
      const streamer = { put: () => times.push(performance.now() - start), end: () => {} };
      await model.generate({ ...inputs(ids), max_new_tokens: tokens, do_sample: false, streamer });
      return { first: times[1], whole: performance.now() - start }; // the prompt is put first
    },
    async output({ ids }) {
      const { logits } = await model(inputs(ids));
      const vocabulary = logits.dims.at(-1);
      return Array.from(logits.data.slice(-vocabulary));
    },
  };
};
