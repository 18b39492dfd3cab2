/** The decoder of Bahdanau, Cho, Bengio 2015: its GRU, and the readout, around an alignment. */
import { blend, matmul, maxPool, multiply, sigmoid, softmax, tanh } from '../../ops/index.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { Lengths } from './lengths.ts';
import { wordLoss } from './loss.ts';
import { rowOf, stackRows, zeros } from './steps.ts';
import type { System } from './system.ts';

/** The params besides those of the alignment. */
export const DECODER_PARAMS = {
  ...{ W: 'E S', Wz: 'E S', Wr: 'E S', U: 'S S', Uz: 'S S', Ur: 'S S', C: 'Hs S', Cz: 'Hs S', Cr: 'Hs S' },
  ...{ 'b?': 'S', 'bz?': 'S', 'br?': 'S', 'Ws?': 'Hb S', 'bs?': 'S' },
  ...{ 'Uo?': 'S 2l', 'Vo?': 'E 2l', 'Co?': 'Hs 2l', 'bt?': '2l', 'Wo?': 'l V', 'bo?': 'V' },
} as const;

/**
 * All steps of the decoder.
 *
 *     z, r = σ(y_{t-1} Wz + s_{t-1} Uz + c_t Cz), σ(y_{t-1} Wr + s_{t-1} Ur + c_t Cr)
 *     s̃_t = tanh(y_{t-1} W + (r ⊙ s_{t-1}) U + c_t C),   s_t = (1 - z) ⊙ s_{t-1} + z ⊙ s̃_t
 *     t̃_t = s_{t-1} Uo + y_{t-1} Vo + c_t Co,   p_t = softmax(maxout(t̃_t) Wo)
 *
 * @param align s_{t-1} [B, 1, S] to the context c_t [B, 1, Hs] and the weights [B, 1, Ts].
 * @param equation of the weights, for the trace.
 */
export function runBahdanauDecoder(
  system: System,
  lengths: Lengths,
  align: (s: Tensor) => { output: Tensor; weights: Tensor },
  equation: string,
): Record<string, unknown> {
  const { fovea, batch, params: p } = system;
  const y = system.input('decoderInputs');
  const [Ts, Tt, S, Hs] = [system.size('Ts'), system.size('Tt'), system.size('S'), system.size('Hs')];
  const readout = system.choice('readout', ['previous', 'current']);
  let s = system.initialState({ s: [S] })['s']?.reshape([batch, 1, S]) ?? firstState(system, lengths);
  const [previous, states, contexts, rows]: Tensor[][] = [[], [], [], []];
  for (let t = 0; t < Tt; t++) {
    const { output: c, weights } = align(s);
    const from = (name: string, state: Tensor): Tensor =>
      system.sum(
        [matmul(fovea, rowOf(y, t), p[`W${name}`]!), matmul(fovea, state, p[`U${name}`]!), matmul(fovea, c, p[`C${name}`]!)],
        p[`b${name}`],
      );
    const [z, r] = [sigmoid(fovea, from('z', s)), sigmoid(fovea, from('r', s))];
    previous!.push(s);
    s = blend(fovea, tanh(fovea, from('', multiply(fovea, r, s))), s, z);
    states!.push(s);
    contexts!.push(c);
    rows!.push(weights);
  }
  const stack = (list: readonly Tensor[], row: number): Tensor => stackRows(fovea, list, batch, [row]);
  const update = '(1 - z_t) \\odot s_{t-1} + z_t \\odot \\tilde s_t';
  const results = {
    weights: system.record('weights', equation, ['step', 'token'], stack(rows!, Ts)),
    context: system.record('context', '\\textstyle\\sum_j a_{tj} h_j', ['step', 'feature'], stack(contexts!, Hs)),
    states: system.record('states', update, ['step', 'feature'], stack(states!, S)),
    state: { s: s.reshape([batch, S]).clone() },
  };
  const read = readout === 'current' ? results.states : stack(previous!, S);
  const probability = p['Wo'] && wordProbability(system, read, results.context);
  const loss = wordLoss(system, probability, Tt, '\\operatorname{softmax}(\\operatorname{maxout}(\\tilde t_t) W_o)');
  return { ...results, probability, loss };
}

/** softmax(maxout(s Uo + y Vo + c Co + bt) Wo + bo) of all steps. */
function wordProbability(system: System, read: Tensor, context: Tensor): Tensor {
  const { fovea, batch, params: p } = system;
  const y = system.input('decoderInputs');
  const deep = system.sum(
    [matmul(fovea, read, p['Uo']!), matmul(fovea, y, p['Vo']!), matmul(fovea, context, p['Co']!)],
    p['bt'],
  );
  const maxout = maxPool(fovea, deep.reshape([batch, system.size('Tt'), system.size('l'), 2]), { axis: -1 });
  return softmax(fovea, system.sum([matmul(fovea, maxout, p['Wo']!)], p['bo']));
}

/** tanh(hb_1 Ws + bs), hb_1 the backward half of the source's first state; without Ws zeros. */
function firstState(system: System, lengths: Lengths): Tensor {
  const { fovea, batch, params } = system;
  const source = lengths.masked(system.input('source'));
  const [S, Hs] = [system.size('S'), system.size('Hs')];
  if (!params['Ws']) return zeros(fovea, [batch, 1, S]);
  const half = Math.floor(Hs / 2);
  const first = source.shape[1] === 0 ? zeros(fovea, [batch, 1, Hs - half]) : rowOf(source, 0).slice(2, half);
  return tanh(fovea, system.sum([matmul(fovea, first, params['Ws'])], params['bs']));
}
