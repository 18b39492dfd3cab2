/**
 * ai.onnx RNN, GRU and LSTM: X [T, B, I], or [B, T, I] with layout 1; for each direction W [G·Hd, I], R [G·Hd, Hd] and both biases in
 * B. Their gates are z, r, h and i, o, f, c; PyTorch's are r, z, n and i, f, g, o.
 */
import { gru, lstm, rnn } from 'fovea/ops';
import { checkKnown, element, floats, integers, NotApplicable, swapMiddle } from '../arrays.mjs';

export const operators = ['ai.onnx RNN', 'ai.onnx GRU', 'ai.onnx LSTM'];

const LAYERS = { RNN: rnn, GRU: gru, LSTM: lstm };
/** Where PyTorch's gates are among ONNX's. */
const GATES = { RNN: [0], GRU: [1, 0, 2], LSTM: [0, 2, 3, 1] };
const ACTIVATIONS = { RNN: ['tanh'], GRU: ['sigmoid', 'tanh'], LSTM: ['sigmoid', 'tanh', 'tanh'] };

/** From here on a clipped gate is the same float32 number: σ is 0 or 1 and tanh ±1. */
const NEVER_CLIPS = 100;

export function run(fovea, c) {
  checkKnown(
    c,
    [
      'activations',
      'activation_alpha',
      'activation_beta',
      'clip',
      'direction',
      'hidden_size',
      'input_forget',
      'layout',
      'linear_before_reset',
    ],
    ['X', 'W', 'R', 'B', 'sequence_lens', 'initial_h', 'initial_c', 'P'],
  );
  const { direction = 'forward', layout = 0 } = c.attributes;
  const { X, W, R, B, sequence_lens: lens, initial_h, initial_c } = c.inputs;
  const suffixes = { forward: [''], reverse: ['_reverse'], bidirectional: ['', '_reverse'] }[direction];
  const nonlinearity = checkAttributes(c, suffixes.length);
  const lengths = lens && integers(lens).map(Number);
  if (lengths?.includes(0) && initial_h !== undefined)
    throw new NotApplicable('the last state of a sequence without tokens: 0 there, the initial state here and in PyTorch');

  const params = Object.fromEntries(
    suffixes.flatMap((suffix, d) => {
      const gates = (array) => reorder(array, GATES[c.op]);
      const both = B && element(floats(B), d).data;
      const named = [
        ['weight_ih', gates(element(floats(W), d))],
        ['weight_hh', gates(element(floats(R), d))],
      ];
      if (both !== undefined) {
        const half = both.length / 2;
        named.push(['bias_ih', gates({ data: both.subarray(0, half), shape: [half] })]);
        named.push(['bias_hh', gates({ data: both.subarray(half), shape: [half] })]);
      }
      return named.map(([name, array]) => [`${name}_l0${suffix}`, array]);
    }),
  );
  const state = (array) => array && (layout === 1 ? swapFirst(floats(array)) : floats(array));
  const { output, hidden, cell } = LAYERS[c.op](fovea, floats(X), params, {
    layout: layout === 1 ? 'btd' : 'tbd',
    lengths,
    initialState: initial_h && { hidden: state(initial_h), cell: state(initial_c) },
    nonlinearity,
    resetAfter: c.op === 'GRU' ? (c.attributes.linear_before_reset ?? 0) !== 0 : undefined,
  });
  const last = (array) => array && (layout === 1 ? swapFirst(array) : array);
  return { outputs: { Y: apart(output, suffixes.length, layout), Y_h: last(hidden), Y_c: last(cell) } };
}

/** Returns the nonlinearity of an RNN. */
function checkAttributes(c, directions) {
  const { activations, clip = Infinity, input_forget: couples = 0 } = c.attributes;
  const own = ACTIVATIONS[c.op];
  const chosen = (activations ?? Array.from({ length: directions }, () => own).flat()).map((name) => name.toLowerCase());
  const is = (wanted) => chosen.every((name, n) => name === wanted[n % wanted.length]);
  const isRelu = c.op === 'RNN' && is(['relu']);
  if (!is(own) && !isRelu) throw new NotApplicable(`activations ${activations.join(', ')}: the cells have their own`);
  if (clip < NEVER_CLIPS) throw new NotApplicable(`clip ${clip}: gates are not clipped`);
  if (couples !== 0) throw new NotApplicable('input_forget: gates are not coupled');
  if (c.inputs.P?.data.some((weight) => weight !== 0)) throw new NotApplicable('input P: no peepholes');
  return isRelu ? 'relu' : undefined;
}

/** The gates, side by side along the first axis, in another order. */
function reorder({ data, shape }, order) {
  const size = data.length / order.length;
  const moved = new Float32Array(data.length);
  order.forEach((from, to) => moved.set(data.subarray(from * size, (from + 1) * size), to * size));
  return { data: moved, shape };
}

/** [a, b, c] -> [b, a, c]. */
function swapFirst({ data, shape: [a, b, c] }) {
  const { data: swapped } = swapMiddle({ data, shape: [1, a, b, c] });
  return { data: swapped, shape: [b, a, c] };
}

/** [T, B, D·Hd] -> [T, D, B, Hd]; with layout 1 [B, T, D·Hd] -> [B, T, D, Hd]. */
function apart({ data, shape: [a, b, wide] }, directions, layout) {
  const split = { data, shape: [a, b, directions, wide / directions] };
  return layout === 1 ? split : swapMiddle(split);
}
