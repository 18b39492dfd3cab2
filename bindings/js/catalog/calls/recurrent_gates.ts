/** The gates of recurrent encoders for all tokens, which the functions of fovea/ops do not give: computed out of the states that they give. */
import { ownProperties } from '../../errors/options.ts';
import type { Fovea } from '../../fovea/fovea.ts';
import {
  add,
  concat,
  linear,
  lstm,
  multiply,
  sigmoid,
  tanh,
  type GruOptions,
  type RecurrentOptions,
  type RecurrentParams,
} from '../../ops/index.ts';
import type { ArrayInput } from '../../tensor/array_input.ts';
import type { NDArray } from '../../tensor/array_types.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import type { ResultStage } from '../entry/entry.ts';

const axes = ['token', 'feature'] as const;
const gate = (formula: string): ResultStage => ({ formula, axes });

/** The stages of `gruGates`. */
export const gruStages = {
  resetGate: gate('\\sigma(W_{ir} x_t + b_{ir} + W_{hr} h_{t-1} + b_{hr})'),
  updateGate: gate('\\sigma(W_{iz} x_t + b_{iz} + W_{hz} h_{t-1} + b_{hz})'),
  newState: gate('\\tanh(W_{in} x_t + b_{in} + r_t \\odot (W_{hn} h_{t-1} + b_{hn}))'),
};

/** The stages of `lstmGates`. */
export const lstmStages = {
  inputGate: gate('\\sigma(W_{ii} x_t + b_{ii} + W_{hi} h_{t-1} + b_{hi})'),
  forgetGate: gate('\\sigma(W_{if} x_t + b_{if} + W_{hf} h_{t-1} + b_{hf})'),
  cellInput: gate('\\tanh(W_{ig} x_t + b_{ig} + W_{hg} h_{t-1} + b_{hg})'),
  outputGate: gate('\\sigma(W_{io} x_t + b_{io} + W_{ho} h_{t-1} + b_{ho})'),
  cellState: gate('c_t = f_t \\odot c_{t-1} + i_t \\odot g_t'),
};

/** One layer of one direction over one sequence [T, I]: what its gates are computed of. */
interface OneLayer {
  readonly x: Tensor;
  /** [T, Hd]: the state before each token. */
  readonly before: Tensor;
  /** A gate's part that is of x, and the one that is of a state, by its number. */
  readonly ofInput: (gate: number) => Tensor;
  readonly ofState: (gate: number, states?: Tensor) => Tensor;
}

const NAMES = ['weight_ih_l0', 'weight_hh_l0', 'bias_ih_l0', 'bias_hh_l0'] as const;

/** Null where the states do not tell the gates: with more layers or directions, projections, a batch, lengths, or no token. */
function oneLayer(
  fovea: Fovea,
  x: ArrayInput,
  given: RecurrentParams,
  { initialState, lengths }: RecurrentOptions,
  output: NDArray | Tensor,
): OneLayer | null {
  const params = ownProperties(given);
  const names = Object.keys(params).filter((name) => params[name as (typeof NAMES)[number]] !== undefined);
  const [tokens, width] = output.shape as [number, number];
  const isPlain = output.shape.length === 2 && tokens > 0 && lengths === undefined;
  if (!isPlain || !names.every((name) => (NAMES as readonly string[]).includes(name))) return null;
  const tensors = NAMES.map((name) => params[name] && fovea.tensor(params[name]));
  const [ofX, ofH, bX, bH] = tensors as [Tensor, Tensor, Tensor | undefined, Tensor | undefined];
  const { hidden } = ownProperties({ ...initialState });
  const first =
    hidden === undefined ? fovea.tensor(new Float32Array(width), [1, width]) : fovea.tensor(hidden).reshape([1, width]);
  const before = concat(fovea, [first, fovea.tensor(output).slice(0, 0, tokens - 1)], { axis: 0 });
  const input = fovea.tensor(x);
  const part = (array: Tensor | undefined, n: number): Tensor | undefined => array?.slice(0, n * width, (n + 1) * width);
  return {
    x: input,
    before,
    ofInput: (n) => linear(fovea, input, part(ofX, n)!, part(bX, n)),
    ofState: (n, states = before) => linear(fovea, states, part(ofH, n)!, part(bH, n)),
  };
}

/** r, z and n of each token; nothing where `oneLayer` gives null. */
export function gruGates(
  fovea: Fovea,
  x: ArrayInput,
  params: RecurrentParams,
  options: GruOptions,
  output: NDArray | Tensor,
): Partial<Record<keyof typeof gruStages, NDArray>> {
  return fovea.scope(() => {
    const layer = oneLayer(fovea, x, params, options, output);
    if (layer === null) return {};
    const { before, ofInput, ofState } = layer;
    const sum = (n: number): Tensor => add(fovea, ofInput(n), ofState(n));
    const [r, z] = [sigmoid(fovea, sum(0)), sigmoid(fovea, sum(1))];
    const recurrent = options.resetAfter === false ? ofState(2, multiply(fovea, r, before)) : multiply(fovea, r, ofState(2));
    const n = tanh(fovea, add(fovea, ofInput(2), recurrent));
    return { resetGate: r.toArray(), updateGate: z.toArray(), newState: n.toArray() };
  });
}

/** i, f, g, o and the cell of each token; nothing where `oneLayer` gives null. */
export function lstmGates(
  fovea: Fovea,
  x: ArrayInput,
  params: RecurrentParams,
  options: RecurrentOptions,
  output: NDArray | Tensor,
): Partial<Record<keyof typeof lstmStages, NDArray>> {
  return fovea.scope(() => {
    const layer = oneLayer(fovea, x, params, options, output);
    if (layer === null) return {};
    const { ofInput, ofState } = layer;
    const [i, f, g, o] = [0, 1, 2, 3].map((n) => {
      const sum = add(fovea, ofInput(n), ofState(n));
      return (n === 2 ? tanh(fovea, sum) : sigmoid(fovea, sum)).toArray();
    });
    let state = options.initialState;
    const cells: Tensor[] = [];
    for (let t = 0; t < layer.x.shape[0]!; t++) {
      const { hidden, cell } = lstm(fovea, layer.x.slice(0, t, t + 1), params, { initialState: state });
      state = { hidden, cell };
      cells.push(cell);
    }
    const cellState = concat(fovea, cells as [Tensor, ...Tensor[]], { axis: 0 }).toArray();
    return { inputGate: i!, forgetGate: f!, cellInput: g!, outputGate: o!, cellState };
  });
}
