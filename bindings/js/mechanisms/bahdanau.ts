/** Bahdanau's encoder-decoder: an alignment at every step of the decoder, by the additive score. */
import type { Fovea } from '../fovea/fovea.ts';
import { add, blend, matmul, maxPool, multiply, sigmoid, softmax, tanh } from '../ops/index.ts';
import { score } from '../score/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { IntegerInput } from '../tensor/integer_arrays.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import type { Lengths, LengthsOption } from './system/lengths.ts';
import { meanLoss } from './system/loss.ts';
import type { ParamInput } from './system/params.ts';
import { rowOf, stackRows, zeros } from './system/steps.ts';
import { runSystem, type Declaration, type System } from './system/system.ts';

const DECLARATION = {
  fn: 'bahdanau',
  inputs: { source: 'Ts Hs', decoderInputs: 'Tt E' },
  ids: { 'targets?': 'Tt' },
  params: {
    ...{ Wa: 'S A', Ua: 'Hs A', va: 'A', 'ba?': 'A' },
    ...{ W: 'E S', Wz: 'E S', Wr: 'E S', U: 'S S', Uz: 'S S', Ur: 'S S', C: 'Hs S', Cz: 'Hs S', Cr: 'Hs S' },
    ...{ 'b?': 'S', 'bz?': 'S', 'br?': 'S', 'Ws?': 'Hb S', 'bs?': 'S' },
    ...{ 'Uo?': 'S 2l', 'Vo?': 'E 2l', 'Co?': 'Hs 2l', 'bt?': '2l', 'Wo?': 'l V', 'bo?': 'V' },
  },
  together: [['Uo', 'Vo', 'Co', 'Wo']],
  options: ['sourceLengths', 'targetLengths', 'initialState', 'readout'],
} as const satisfies Declaration;

export interface BahdanauInputs<A extends ArrayInput = ArrayInput> {
  /** [Ts, Hs] or [B, Ts, Hs]: the states of the encoder, forward and backward halves side by side. */
  readonly source: A;
  /** [Tt, E]: row t is the embedding of word t - 1; row 0 that of the start. */
  readonly decoderInputs: ArrayInput;
  /** [Tt]: the words to be predicted. */
  readonly targets?: IntegerInput | undefined;
}

export interface BahdanauOptions {
  readonly sourceLengths?: LengthsOption;
  /** Limits the loss. */
  readonly targetLengths?: LengthsOption;
  /** `state` of a call before; wins over Ws. */
  readonly initialState?: { readonly s?: ArrayInput | undefined } | undefined;
  /** The state that the readout reads: 'previous' (default, A.2.2) or 'current' (eq. 4). */
  readonly readout?: 'previous' | 'current' | undefined;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface BahdanauResult<A> {
  /** [B, Tt, Ts]. */
  weights: A;
  /** [B, Tt, Hs]. */
  context: A;
  /** [B, Tt, S]: s_1 … s_Tt. */
  states: A;
  /** [B, Tt, V]: with Wo. */
  probability?: A;
  /** [B]: with targets. */
  loss?: A;
  state: { s: A };
  trace?: TraceStage[];
}

/**
 * Bahdanau's decoder: its state asks the source at every step, by the additive score.
 *
 *     e_tj = va·tanh(s_{t-1} Wa + h_j Ua),   a_t = softmax(e_t),   c_t = Σ_j a_tj h_j
 *     z, r = σ(y_{t-1} Wz + s_{t-1} Uz + c_t Cz), σ(y_{t-1} Wr + s_{t-1} Ur + c_t Cr)
 *     s̃_t = tanh(y_{t-1} W + (r ⊙ s_{t-1}) U + c_t C),   s_t = (1 - z) ⊙ s_{t-1} + z ⊙ s̃_t
 *     t̃_t = s_{t-1} Uo + y_{t-1} Vo + c_t Co,   p_t = softmax(maxout(t̃_t) Wo)
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `source`, `decoderInputs`, `targets`.
 * @param params by the paper's letters: Wa [S, A], Ua [Hs, A], va [A]; W, Wz, Wr [E, S]; U, Uz, Ur [S, S]; C, Cz, Cr [Hs, S]; optional Ws
 *   [Hs - ⌊Hs/2⌋, S]; optional together Uo [S, 2l], Vo [E, 2l], Co [Hs, 2l], Wo [l, V]; optional biases ba, b, bz, br, bs, bt, bo.
 * @param options `sourceLengths`, `targetLengths`, `initialState`, `readout`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Bahdanau, Cho, Bengio 2015, arXiv:1409.0473 §3.1, A.1.2, A.2.2: its GRU resets before the product, and z takes the new state.
 */
export function bahdanau<A extends ArrayInput>(
  fovea: Fovea,
  inputs: BahdanauInputs<A>,
  params: ParamInput,
  options?: BahdanauOptions,
): BahdanauResult<ResultArray<A>> {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const [source, y] = [system.input('source'), system.input('decoderInputs')];
    const [batch, Ts, Tt, S, Hs] = [system.batch, system.size('Ts'), system.size('Tt'), system.size('S'), system.size('Hs')];
    const lengths = system.lengths('sourceLengths', Ts);
    const readout = system.choice('readout', ['previous', 'current']);
    const p = system.params;
    const alignment = score.additive({ Wq: p['Wa']!, Wk: p['Ua']!, w: p['va']!, ...(p['ba'] && { bias: p['ba'] }) });

    let s = system.initialState({ s: [S] })['s']?.reshape([batch, 1, S]) ?? firstState(system, source, lengths);
    const [previous, states, contexts, rows]: Tensor[][] = [[], [], [], []];
    for (let t = 0; t < Tt; t++) {
      const options = { score: alignment, layout: 'btd', keyLengths: lengths.list, returnWeights: true } as const;
      const { output: c, weights } = fovea.attention(s, source, source, options);
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
    const results = {
      weights: system.record(
        'weights',
        '\\operatorname{softmax}(v_a^\\top \\tanh(s_{t-1} W_a + h_j U_a))',
        ['step', 'token'],
        stack(rows!, Ts),
      ),
      context: system.record('context', '\\textstyle\\sum_j a_{tj} h_j', ['step', 'feature'], stack(contexts!, Hs)),
      states: system.record(
        'states',
        '(1 - z_t) \\odot s_{t-1} + z_t \\odot \\tilde s_t',
        ['step', 'feature'],
        stack(states!, S),
      ),
      state: { s: s.reshape([batch, S]) },
    };
    if (!system.has('Wo')) return results;

    const read = readout === 'current' ? results.states : stack(previous!, S);
    const deep = system.sum(
      [matmul(fovea, read, p['Uo']!), matmul(fovea, y, p['Vo']!), matmul(fovea, results.context, p['Co']!)],
      p['bt'],
    );
    const maxout = maxPool(fovea, deep.reshape([batch, Tt, system.size('l'), 2]), { axis: -1 });
    const scores = matmul(fovea, maxout, p['Wo']!);
    const probability = system.record(
      'probability',
      '\\operatorname{softmax}(\\operatorname{maxout}(\\tilde t_t) W_o)',
      ['step', 'word'],
      softmax(fovea, p['bo'] ? add(fovea, scores, p['bo']) : scores),
    );
    const steps = system.lengths('targetLengths', Tt);
    return {
      ...results,
      probability,
      loss: system.has('targets') ? meanLoss(system, probability, 'targets', steps) : undefined,
    };
  }) as unknown as BahdanauResult<ResultArray<A>>;
}

/** tanh(hb_1 Ws + bs), hb_1 the backward half of the source's first state; without Ws zeros. */
function firstState(system: System, source: Tensor, lengths: Lengths): Tensor {
  const { fovea, batch, params } = system;
  const [S, Hs] = [system.size('S'), system.size('Hs')];
  if (!params['Ws']) return zeros(fovea, [batch, 1, S]);
  const half = Math.floor(Hs / 2);
  const first = source.shape[1] === 0 ? zeros(fovea, [batch, 1, Hs - half]) : rowOf(source, 0).slice(2, half);
  const isThere = fovea.tensor(
    lengths.list.map((length) => Number(length > 0)),
    [batch, 1, 1],
  );
  return tanh(fovea, system.sum([matmul(fovea, multiply(fovea, first, isThere), params['Ws'])], params['bs']));
}
