// Training by jax-js on its wasm backend: jit(valueAndGrad) with Adam in the same compiled function. An array is consumed by the call that it
// is given to; `.ref` keeps it for one more.

import { swapAxes } from '../../arrays.mjs';
import { pretendProcessors } from '../processors.mjs';
import { adam, attentionArrays, attentions, gpt, gptBatch, gptWeights, normEps, someOf } from '../../training_tasks.mjs';

export async function openTraining({ threads, environment }) {
  if (threads === 1) delete globalThis.SharedArrayBuffer;
  else if (environment.browser) pretendProcessors(threads);
  const { defaultDevice, init, jit, nn, numpy: np, valueAndGrad } = await import('@jax-js/jax');
  await init('wasm');
  defaultDevice('wasm');
  const array = ({ data, shape }) => np.array(data).reshape(shape);
  const mapped = (of, f) => Object.fromEntries(Object.keys(of).map((name) => [name, f(of[name], name)]));
  return { step, attention };

  function step() {
    const { vocabulary, width, heads, layers, tokens, batch } = gpt;
    const { ids, targets } = gptBatch();
    const rows = batch * tokens;
    const oneHot = (list) => {
      const data = new Float32Array(rows * vocabulary);
      list.forEach((id, row) => (data[row * vocabulary + id] = 1));
      return array({ data, shape: [rows, vocabulary] });
    };
    const x = oneHot(ids);
    const y = oneHot(targets);
    const linear = (input, weight, bias) => np.matmul(input, weight.transpose()).add(bias);
    const norm = (input, w, name) =>
      nn.standardize(input, -1, { epsilon: normEps }).mul(w[`${name}.weight`].ref).add(w[`${name}.bias`].ref);
    const gelu = (u) => {
      const inner = u.ref.add(u.ref.mul(u.ref).mul(u.ref).mul(0.044715)).mul(Math.sqrt(2 / Math.PI));
      return u.mul(0.5).mul(np.tanh(inner).add(1));
    };

    function lossOf(w, input, target) {
      const part = (name) => layerOf(w, name);
      let states = np.matmul(input, w['embedding.weight'].ref).reshape([batch, tokens, width]);
      states = states.add(w['positions.weight'].ref).reshape([rows, width]);
      for (let n = 0; n < layers; n++) {
        const at = `layers.${n}.`;
        const joint = part(`${at}self_attn.in_proj_`)(norm(states.ref, w, `${at}norm1`));
        const [q, k, v] = np.split(joint, 3, 1).map((one) => one.reshape([batch, tokens, heads, width / heads]));
        const attended = nn.dotProductAttention(q, k, v, { isCausal: true }).reshape([rows, width]);
        states = states.add(part(`${at}self_attn.out_proj.`)(attended));
        const between = gelu(part(`${at}linear1.`)(norm(states.ref, w, `${at}norm2`)));
        states = states.add(part(`${at}linear2.`)(between));
      }
      const logits = np.matmul(norm(states, w, 'norm'), w['embedding.weight'].ref.transpose());
      return np.sum(nn.logSoftmax(logits).mul(target)).mul(-1 / rows);
    }

    function layerOf(w, name) {
      return (input) => linear(input, w[`${name}weight`].ref, w[`${name}bias`].ref);
    }

    const { learningRate, betas, eps } = adam;
    const update = jit((w, m, v, input, target, root, rate) => {
      const [loss, gradients] = valueAndGrad(lossOf)(
        mapped(w, (one) => one.ref),
        input,
        target,
      );
      const first = mapped(m, (one, name) => one.mul(betas[0]).add(gradients[name].ref.mul(1 - betas[0])));
      const second = mapped(v, (one, name) =>
        one.mul(betas[1]).add(gradients[name].ref.mul(gradients[name]).mul(1 - betas[1])),
      );
      const next = mapped(w, (one, name) =>
        one.sub(first[name].ref.mul(rate.ref).div(np.sqrt(second[name].ref).div(root.ref).add(eps))),
      );
      return [loss, next, first, second];
    });

    const zeros = ({ shape }) => np.zeros(shape);
    const weights = gptWeights();
    let state = [mapped(weights, array), mapped(weights, zeros), mapped(weights, zeros)];
    const losses = [];
    return {
      async run() {
        const t = losses.length + 1;
        const numbers = [Math.sqrt(1 - betas[1] ** t), learningRate / (1 - betas[0] ** t)].map((one) => np.array(one));
        const [loss, ...next] = update(...state, x.ref, y.ref, ...numbers);
        state = next;
        losses.push((await loss.data())[0]);
      },
      output: () => losses,
    };
  }

  function attention(id) {
    const { heads, tokens, width, causal } = attentions[id];
    const [q, k, v, dOutput] = Object.values(attentionArrays(attentions[id])).map((data) =>
      array({ data: swapAxes(data, [heads, tokens, width]), shape: [1, tokens, heads, width] }),
    );
    const gradient = jit(
      valueAndGrad((query, key, value, of) => np.sum(nn.dotProductAttention(query, key, value, { isCausal: causal }).mul(of)), {
        argnums: [0, 1, 2],
      }),
    );
    let gradients = [];
    return {
      async run() {
        gradients.forEach((one) => one.dispose());
        const [loss, made] = gradient(q.ref, k.ref, v.ref, dOutput.ref);
        gradients = made;
        await loss.data();
        for (const one of gradients) await one.blockUntilReady();
      },
      async output() {
        const all = [];
        for (const one of gradients) all.push(swapAxes(await one.ref.data(), [tokens, heads, width]));
        return someOf(...all);
      },
    };
  }
}
