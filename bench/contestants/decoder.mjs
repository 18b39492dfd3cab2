// A decoder, token by token with its cache: by plain loops, by single calls of fovea/ops, by layers and by models of fovea/nn. Each way
// gives step(id, position), which returns the logits, and clear(), which forgets all tokens.

const eps = 1e-5;

/** Options of fovea/nn for a decoder of Llama's kind, or of GPT-2's. */
export function modelOptions({ layers, width, heads, kvHeads, between, vocabulary, tokens, llama }) {
  const sizes = { numLayers: layers, dModel: width, nHead: heads, kvHeads, dimFeedforward: between, vocabSize: vocabulary };
  return llama ? { ...sizes, norm: 'rms', normEps: eps, gated: true, rope: {} } : { ...sizes, maxPositions: tokens };
}

const cachesFor = ({ fovea, cache }, { layers, kvHeads, width, heads, tokens }) =>
  Array.from({ length: layers }, () => cache.kvCache(fovea, { kvHeads, width: width / heads, capacity: tokens }));

export function byModel(kit, shape, model) {
  const caches = cachesFor(kit, shape);
  return { step: (id) => model.next([id], { caches }).data, clear: () => caches.forEach((cache) => cache.clear()) };
}

/** The decoder with every matrix in 8 bits. */
export function byInt8(kit, shape, model) {
  const own = new kit.nn.CausalDecoder(kit.fovea, modelOptions(shape));
  own.loadStateDict(model.stateDict(), { dtype: 'int8' });
  return byModel(kit, shape, own);
}

/** A call for each layer. */
export function byLayers(kit, shape, model) {
  const { fovea, nn } = kit;
  const caches = cachesFor(kit, shape);
  const weights = model.stateDict();
  const embedding = new nn.Embedding(fovea, { numEmbeddings: shape.vocabulary, embeddingDim: shape.width });
  embedding.loadStateDict({ weight: weights.get('embedding.weight') });
  const norm = new nn.RMSNorm(fovea, { normalizedShape: shape.width, eps });
  norm.loadStateDict({ weight: weights.get('norm.weight') });
  const step = (id) =>
    fovea.scope(() => {
      let x = embedding.forward([id]);
      model.layers.forEach((layer, n) => (x = layer.forward(x, { cache: caches[n] })));
      return embedding.logits(norm.forward(x)).toArray().data;
    });
  return { step, clear: () => caches.forEach((cache) => cache.clear()) };
}

/** Single calls, of Tensors in a scope. */
export function byOps(kit, shape, model) {
  const { fovea, ops, position } = kit;
  const { heads, kvHeads, width } = shape;
  const D = width / heads;
  const caches = cachesFor(kit, shape);
  const tensors = new Map([...model.stateDict()].map(([name, array]) => [name, fovea.tensor(array)]));
  const weight = (name) => tensors.get(`${name}weight`);
  const layers = model.layers.map((_, n) => ({
    norms: [1, 2].map((which) => ({ weight: weight(`layers.${n}.norm${which}.`), eps })),
    qkv: weight(`layers.${n}.self_attn.in_proj_`),
    out: weight(`layers.${n}.self_attn.out_proj.`),
    up: weight(`layers.${n}.linear1.`),
    down: weight(`layers.${n}.linear2.`),
  }));
  const last = { weight: weight('norm.'), eps };
  const step = (id, start) =>
    fovea.scope(() => {
      let x = ops.embedding(fovea, [id], weight('embedding.'));
      layers.forEach(({ norms, qkv, out, up, down }, n) => {
        const all = ops.linear(fovea, ops.rmsNorm(fovea, x, norms[0]), qkv).reshape([heads + 2 * kvHeads, 1, D]);
        const turned = position.rotaryEmbedding(fovea, all.slice(0, 0, heads + kvHeads), { start });
        caches[n].append(turned.slice(0, heads, heads + kvHeads), all.slice(0, heads + kvHeads));
        const attended = fovea.attention(turned.slice(0, 0, heads), caches[n]).output.reshape([1, width]);
        x = ops.add(fovea, x, ops.linear(fovea, attended, out));
        x = ops.add(
          fovea,
          x,
          ops.linear(fovea, ops.swiglu(fovea, ops.linear(fovea, ops.rmsNorm(fovea, x, norms[1]), up)), down),
        );
      });
      return ops.linear(fovea, ops.rmsNorm(fovea, x, last), weight('embedding.')).toArray().data;
    });
  return { step, clear: () => caches.forEach((cache) => cache.clear()) };
}

/** Loops over typed arrays that are made once; four rows of a matrix share the reads of x, the fastest of three orders of loops. */
export function byLoops(kit, shape, model) {
  const { layers, width, heads, kvHeads, between, vocabulary, tokens } = shape;
  const D = width / heads;
  const W = kvHeads * D;
  const weights = new Map([...model.stateDict()].map(([name, { data }]) => [name, data]));
  const stack = Array.from({ length: layers }, (_, n) => ({
    ...Object.fromEntries(
      ['norm1.', 'self_attn.in_proj_', 'self_attn.out_proj.', 'norm2.', 'linear1.', 'linear2.'].map((name) => [
        name,
        weights.get(`layers.${n}.${name}weight`),
      ]),
    ),
    keys: new Float32Array(tokens * W),
    values: new Float32Array(tokens * W),
  }));
  const [x, h, attended] = [0, 0, 0].map(() => new Float32Array(width));
  const [qkv, inner, logits] = [width + 2 * W, 2 * between, vocabulary].map((length) => new Float32Array(length));
  const scores = new Float32Array(tokens);
  const cos = Float32Array.from({ length: (tokens * D) / 2 }, (_, at) => Math.cos(angle(at)));
  const sin = Float32Array.from({ length: (tokens * D) / 2 }, (_, at) => Math.sin(angle(at)));

  function angle(at) {
    return Math.floor(at / (D / 2)) * 10000 ** ((-2 * (at % (D / 2))) / D);
  }

  function multiply(y, matrix, from, columns, rows) {
    for (let i = 0; i < rows; i += 4) {
      let [a, b, c, d] = [0, 0, 0, 0];
      const [r, s, t, u] = [i * columns, (i + 1) * columns, (i + 2) * columns, (i + 3) * columns];
      for (let j = 0; j < columns; ++j) {
        const value = from[j];
        a += matrix[r + j] * value;
        b += matrix[s + j] * value;
        c += matrix[t + j] * value;
        d += matrix[u + j] * value;
      }
      y[i] = a;
      y[i + 1] = b;
      y[i + 2] = c;
      y[i + 3] = d;
    }
  }

  function normalize(weight) {
    let sum = 0;
    for (let i = 0; i < width; ++i) sum += x[i] * x[i];
    const factor = 1 / Math.sqrt(sum / width + eps);
    for (let i = 0; i < width; ++i) h[i] = x[i] * factor * weight[i];
  }

  function rotate(position) {
    for (let at = 0; at < width + W; at += D) {
      for (let i = 0; i < D / 2; ++i) {
        const [c, s, u, v] = [cos[(position * D) / 2 + i], sin[(position * D) / 2 + i], qkv[at + i], qkv[at + i + D / 2]];
        qkv[at + i] = u * c - v * s;
        qkv[at + i + D / 2] = u * s + v * c;
      }
    }
  }

  function attend({ keys, values }, position) {
    for (let head = 0; head < heads; ++head) {
      const key = Math.floor((head * kvHeads) / heads) * D;
      let most = -Infinity;
      for (let t = 0; t <= position; ++t) {
        let dot = 0;
        for (let i = 0; i < D; ++i) dot += qkv[head * D + i] * keys[t * W + key + i];
        scores[t] = dot / Math.sqrt(D);
        most = Math.max(most, scores[t]);
      }
      let total = 0;
      for (let t = 0; t <= position; ++t) total += scores[t] = Math.exp(scores[t] - most);
      for (let i = 0; i < D; ++i) attended[head * D + i] = 0;
      for (let t = 0; t <= position; ++t) {
        const share = scores[t] / total;
        for (let i = 0; i < D; ++i) attended[head * D + i] += share * values[t * W + key + i];
      }
    }
  }

  function step(id, position) {
    const embedding = weights.get('embedding.weight');
    x.set(embedding.subarray(id * width, (id + 1) * width));
    for (const layer of stack) {
      normalize(layer['norm1.']);
      multiply(qkv, layer['self_attn.in_proj_'], h, width, width + 2 * W);
      rotate(position);
      layer.keys.set(qkv.subarray(width, width + W), position * W);
      layer.values.set(qkv.subarray(width + W), position * W);
      attend(layer, position);
      multiply(h, layer['self_attn.out_proj.'], attended, width, width);
      for (let i = 0; i < width; ++i) x[i] += h[i];
      normalize(layer['norm2.']);
      multiply(inner, layer['linear1.'], h, width, 2 * between);
      for (let i = 0; i < between; ++i) inner[i] *= inner[between + i] / (1 + Math.exp(-inner[between + i]));
      multiply(h, layer['linear2.'], inner, between, width);
      for (let i = 0; i < width; ++i) x[i] += h[i];
    }
    normalize(weights.get('norm.weight'));
    multiply(logits, embedding, h, width, vocabulary);
    return logits;
  }
  return { step, clear: () => {} };
}
