/** Pointer networks: the output is a position in the input. */
import { fail } from '../errors/errors.ts';
import { isPlainObject, ownProperties } from '../errors/options.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { add, argmax, lstm, matmul, transpose } from '../ops/index.ts';
import type { IntegerArray } from '../ops/index.ts';
import { score } from '../score/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { IntegerInput } from '../tensor/integer_arrays.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import { oneHot } from './system/ids.ts';
import type { Lengths, LengthsOption } from './system/lengths.ts';
import { meanLoss } from './system/loss.ts';
import { integerOption } from './system/option_values.ts';
import type { ParamInput } from './system/params.ts';
import { layerParams } from './system/recurrent.ts';
import { stackRows, zeros } from './system/steps.ts';
import { Integers, runSystem, type Declaration, type System } from './system/system.ts';

const GIVEN = {
  fn: 'pointerNetwork',
  inputs: { encoder: 'Ts H', decoder: 'Tt S' },
  ids: { 'targets?': 'Tt' },
  params: { W1: 'H A', W2: 'S A', v: 'A' },
  options: ['sourceLengths', 'targetLengths'],
} as const satisfies Declaration;

const POINTS = {
  ...GIVEN,
  inputs: { points: 'Ts F' },
  params: { ...GIVEN.params, ...layerParams('encoder', 4, 'F', 'H'), ...layerParams('decoder', 4, 'F', 'S'), start: 'F' },
  groups: ['encoder.', 'decoder.'],
  options: [...GIVEN.options, 'steps', 'initialState'],
} as const satisfies Declaration;

/** The states of both sides come from outside. */
export interface PointerStates<A extends ArrayInput = ArrayInput> {
  /** [Ts, H] or [B, Ts, H]. */
  readonly encoder: A;
  /** [Tt, S]. */
  readonly decoder: ArrayInput;
  /** [Tt]: positions. */
  readonly targets?: IntegerInput | undefined;
}

/** Two LSTMs compute the states. */
export interface PointerPoints<A extends ArrayInput = ArrayInput> {
  /** [Ts, F] or [B, Ts, F]. */
  readonly points: A;
  /** [Tt]: positions; each but the last is what the next step reads, in place of the position chosen. */
  readonly targets?: IntegerInput | undefined;
}

export interface PointerNetworkOptions {
  readonly sourceLengths?: LengthsOption;
  /** Limits the loss. */
  readonly targetLengths?: LengthsOption;
  /** With points and without targets: how many positions are chosen; default Ts. */
  readonly steps?: number | undefined;
  /** With points: `state` of a call before; wins over the encoder's last state and over `start`. */
  readonly initialState?:
    | { readonly h?: ArrayInput | undefined; readonly c?: ArrayInput | undefined; readonly input?: ArrayInput | undefined }
    | undefined;
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. */
export interface PointerNetworkResult<A> {
  /** [B, Tt, Ts]: the distribution over positions. */
  weights: A;
  /** [B, Tt]: the most probable position, the first of several; -1 of an empty source. */
  indices: IntegerArray;
  /** [B]: with targets. */
  loss?: A;
  trace?: TraceStage[];
}

export interface PointerPointsResult<A> extends PointerNetworkResult<A> {
  /** [B, Ts, H]. */
  encoder: A;
  /** [B, Tt, S]. */
  decoder: A;
  /** [B, layers, S] twice, and the point that the next step reads, [B, F]. */
  state: { h: A; c: A; input: A };
}

/**
 * A pointer network: attention whose weights are the answer.
 *
 *     u_ij = v·tanh(e_j W1 + d_i W2),   p(C_i = j | C_1 … C_{i-1}, P) = softmax_j(u_i)
 *     with points: e = LSTM_encoder(P);   d_i = LSTM_decoder(P_{C_{i-1}}), from the encoder's last state and `start`
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `encoder` and `decoder`, or `points`; `targets`.
 * @param params W1 [H, A], W2 [S, A], v [A]; with points start [F] and the state dicts of LSTMs `encoder` F → H, `decoder` F → S, where S = H and
 *   layers are equal unless `initialState` has h and c.
 * @param options `sourceLengths`, `targetLengths`; with points `steps`, `initialState`; `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Source: Vinyals, Fortunato, Jaitly 2015, arXiv:1506.03134 §2.3 (eq. 3), with the current state of the decoder as the query.
 */
export function pointerNetwork<A extends ArrayInput>(
  fovea: Fovea,
  inputs: PointerPoints<A>,
  params: ParamInput,
  options?: PointerNetworkOptions,
): PointerPointsResult<ResultArray<A>>;
/** A pointer network over states that are given: attention of the states of a `decoder` over those of an `encoder`. */
export function pointerNetwork<A extends ArrayInput>(
  fovea: Fovea,
  inputs: PointerStates<A>,
  params: ParamInput,
  options?: PointerNetworkOptions,
): PointerNetworkResult<ResultArray<A>>;
export function pointerNetwork<A extends ArrayInput>(
  fovea: Fovea,
  inputs: PointerStates<A> | PointerPoints<A>,
  params: ParamInput,
  options?: PointerNetworkOptions,
): PointerNetworkResult<ResultArray<A>> {
  const { points, encoder, decoder } = ownProperties<Record<string, unknown>>(isPlainObject(inputs) ? inputs : {});
  if (points !== undefined && (encoder !== undefined || decoder !== undefined))
    fail('option', GIVEN.fn, 'points cannot be combined with encoder and decoder, the states that are computed from them');
  const declaration = points === undefined ? GIVEN : POINTS;
  return runSystem(declaration, fovea, inputs, params, options, (system) => {
    const { batch } = system;
    const lengths = system.lengths('sourceLengths', system.size('Ts'));
    const run = points === undefined ? givenStates(system, lengths) : decodePoints(system, lengths);
    const { weights, indices, ...rest } = run;
    const Tt = weights.shape[1]!;
    return {
      weights: system.record(
        'weights',
        '\\operatorname{softmax}_j(v^\\top \\tanh(e_j W_1 + d_i W_2))',
        ['step', 'token'],
        weights,
      ),
      indices: new Integers(indices, [batch, Tt]),
      loss: system.has('targets') ? meanLoss(system, weights, 'targets', system.lengths('targetLengths', Tt)) : undefined,
      ...rest,
    };
  }) as unknown as PointerNetworkResult<ResultArray<A>>;
}

interface Pointers {
  readonly weights: Tensor;
  /** [B, Tt]. */
  readonly indices: Int32Array;
}

/** The weights of states d [B, T, S] over the keys e W1 [B, Ts, A], and the position of each largest. */
function point(system: System, keys: Tensor, d: Tensor, lengths: Lengths): Pointers {
  const { fovea, params: p } = system;
  const additive = score.additive({ Wq: p['W2']!, w: p['v']! }, { keys: 'projected' });
  const asked = { score: additive, layout: 'btd', keyLengths: lengths.list, returnWeights: true } as const;
  const { weights } = fovea.attention(d, keys, keys, asked);
  const steps = d.shape[1]!;
  if (lengths.size === 0) return { weights, indices: new Int32Array(system.batch * steps).fill(-1) };
  const indices = argmax(fovea, weights).data;
  lengths.list.forEach((length, b) => length === 0 && indices.fill(-1, b * steps, (b + 1) * steps));
  return { weights, indices };
}

/** e W1: once for all steps. */
function project({ fovea, params: p }: System, e: Tensor): Tensor {
  return matmul(fovea, e, p['W1']!);
}

function givenStates(system: System, lengths: Lengths): Pointers {
  return point(system, project(system, system.input('encoder')), system.input('decoder'), lengths);
}

function decodePoints(system: System, lengths: Lengths): Pointers & Record<string, unknown> {
  const { fovea, batch } = system;
  const [points, encoder, decoder] = [
    lengths.masked(system.input('points')),
    system.group('encoder.'),
    system.group('decoder.'),
  ];
  const [Ts, H, S, F] = [system.size('Ts'), system.size('H'), system.size('S'), system.size('F')];
  const { output: e, hidden, cell } = lstm(fovea, points, encoder, { lengths: lengths.list });
  const keys = project(system, e);
  const { steps, targets } = readSteps(system, lengths);

  const layers = Object.keys(decoder).filter((name) => name.startsWith('weight_hh')).length;
  const initial = system.initialState({ h: [layers, S], c: [layers, S], input: [F] });
  if (!(initial['h'] && initial['c']) && (S !== H || hidden.shape[0] !== layers))
    fail(
      'shape',
      system.fn,
      `decoder must have the width and the layers of encoder without initialState h and c, got S = ${S}, H = ${H}, layers ${layers} and ${hidden.shape[0]}`,
    );
  const swap = (state: Tensor): Tensor => transpose(fovea, state, [1, 0, 2]);
  let [h, c] = [initial['h'] ? swap(initial['h']) : hidden, initial['c'] ? swap(initial['c']) : cell];
  let input = initial['input'] ?? add(fovea, zeros(fovea, [batch, F]), system.params['start']!);

  const [rows, states]: Tensor[][] = [[], []];
  const indices = new Int32Array(batch * steps);
  for (let t = 0; t < steps; t++) {
    const step = lstm(fovea, input.reshape([batch, 1, F]), decoder, { initialState: { hidden: h, cell: c } });
    [h, c] = [step.hidden, step.cell];
    const { weights, indices: chosen } = point(system, keys, step.output, lengths);
    rows!.push(weights);
    states!.push(step.output);
    chosen.forEach((index, b) => (indices[b * steps + t] = index));
    const read = targets ? chosen.map((index, b) => (index < 0 ? -1 : targets[b * steps + t]!)) : chosen;
    input = matmul(fovea, oneHot(fovea, read, [batch, 1], Ts), points).reshape([batch, F]);
  }
  return {
    weights: stackRows(fovea, rows!, batch, [Ts]),
    indices,
    encoder: system.record('encoder', 'e = \\mathrm{LSTM}(P)', ['token', 'feature'], e),
    decoder: system.record(
      'decoder',
      'd_i = \\mathrm{LSTM}(P_{C_{i-1}}, d_{i-1})',
      ['step', 'feature'],
      stackRows(fovea, states!, batch, [S]),
    ),
    state: { h: swap(h), c: swap(c), input },
  };
}

function readSteps(system: System, lengths: Lengths): { steps: number; targets: Int32Array | undefined } {
  if (!system.has('targets'))
    return { steps: integerOption(system, 'steps', 0, 2 ** 31 - 1, lengths.size), targets: undefined };
  if (system.options['steps'] !== undefined)
    fail('option', system.fn, 'steps cannot be combined with targets, of which each is a step');
  const steps = system.size('Tt');
  const targets = system.ids('targets');
  targets.forEach((target, n) => {
    const length = lengths.list[Math.floor(n / steps)]!;
    if (length > 0 && (target < 0 || target >= length))
      fail('value', system.fn, `targets must be positions from 0 to ${length - 1}, got ${target} at step ${n % steps}`);
  });
  return { steps, targets };
}
