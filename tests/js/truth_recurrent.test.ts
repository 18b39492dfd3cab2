/**
 * Every torch.rnn and torch.rnn_cell case of tests/golden through `rnn`, `gru` and `lstm`, at FORMAT.md's bound: the whole call,
 * with Tensors, in the other layout, and in steps that pass the state on.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { layerOf, optionsOf, weightsOf, type Plain } from './support/recurrent_cases.ts';
import { assertSameBits, assertWithin, formatBound } from './support/truth_bounds.ts';
import { testsAllCases } from './support/truth_complete.ts';
import { floats, need, truthCases, type TruthCase } from './support/truth_files.ts';
import { loadForTests } from './support/truth_instance.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());
const layers = truthCases('torch', 'torch.rnn');
const cells = truthCases('torch', 'torch.rnn_cell');

testsAllCases('torch.rnn', layers);
testsAllCases('torch.rnn_cell', cells);

function compare(one: TruthCase, name: string, got: Plain | undefined, title: string, exact?: (n: number) => boolean): void {
  const want = need(one.outputs, name);
  assert.ok(got !== undefined);
  assertWithin(got, want, formatBound(want, one.baseline_f32?.[name]), `${title}: ${name}`, exact);
}

/** [a, b, c] -> [b, a, c]. */
function swapAxes({ data, shape }: Plain): Plain {
  const [a, b, c] = shape as [number, number, number];
  const swapped = new Float32Array(data.length);
  for (let i = 0; i < a; i++)
    for (let j = 0; j < b; j++) swapped.set(data.subarray((i * b + j) * c, (i * b + j + 1) * c), (j * a + i) * c);
  return { data: swapped, shape: [b, a, c] };
}

/** Tokens [from, to) of [B, T, I]. */
function tokens({ data, shape }: Plain, from: number, to: number): Plain {
  const [B, T, I] = shape as [number, number, number];
  const taken = new Float32Array(B * (to - from) * I);
  for (let b = 0; b < B; b++) taken.set(data.subarray((b * T + from) * I, (b * T + to) * I), b * (to - from) * I);
  return { data: taken, shape: [B, to - from, I] };
}

for (const one of layers) {
  test(one.name, () => {
    const { cell, batch_first: batchFirst, bidirectional } = one.attributes;
    const run = layerOf(fovea, cell);
    const params = weightsOf(one);
    const x = floats(need(one.inputs, 'x'));
    const options = optionsOf(one);
    const results = run(x, params, options);
    // Padding is exactly 0; a relu gives zeros of its own.
    const want = need(one.outputs, 'y');
    compare(one, 'y', results.output, 'whole', (n) => want.data[n] === 0);
    compare(one, 'h_n', results.hidden, 'whole');
    if (cell === 'LSTM') compare(one, 'c_n', results.cell, 'whole');

    const other = run(swapAxes(x), params, { ...options, layout: batchFirst === true ? 'tbd' : 'btd' });
    assertSameBits(swapAxes(other.output).data, results.output.data, 'the other layout');
    assertSameBits(other.hidden.data, results.hidden.data, 'the other layout: hidden');
    fovea.scope(() => {
      const kept = Object.fromEntries(Object.entries(params).map(([name, array]) => [name, fovea.tensor(array!)]));
      const tensors = run(fovea.tensor(x) as unknown as Plain, kept, options);
      assertSameBits(Float32Array.from(tensors.output.data), results.output.data, 'Tensors');
      assertSameBits(Float32Array.from(tensors.hidden.data), results.hidden.data, 'Tensors: hidden');
    });
    if (batchFirst === true && bidirectional === false && options.lengths === undefined) {
      let state = options.initialState;
      for (let t = 0; t < x.shape[1]!; t++) {
        const { output, ...next } = run(tokens(x, t, t + 1), params, { ...options, initialState: state });
        assertSameBits(output.data, tokens(results.output, t, t + 1).data, `step ${t}`);
        state = next;
      }
    }
  });
}

for (const one of cells) {
  test(one.name, () => {
    const row = (name: string): Plain => {
      const { data, shape } = floats(need(one.inputs, name));
      return { data, shape: [1, ...shape] };
    };
    const initialState = { hidden: row('h'), ...(one.inputs['c'] && { cell: row('c') }) };
    const results = layerOf(fovea, one.attributes['cell'])(row('x'), weightsOf(one, '_l0'), { layout: 'tbd', initialState });
    const first = (array: Plain): Plain => ({ data: array.data, shape: array.shape.slice(1) });
    compare(one, 'h_next', first(results.output), 'one step');
    compare(one, 'h_next', first(results.hidden), 'one step');
    if (one.outputs['c_next']) compare(one, 'c_next', first(results.cell), 'one step');
  });
}
