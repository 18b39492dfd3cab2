/** Trainer: steps against PyTorch's definitions in double, the same bytes after it is saved and loaded, and what bad input leaves as it was. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { NDArray } from 'fovea';
import { CausalDecoder, Linear } from 'fovea/nn';
import { matmul } from 'fovea/ops';
import {
  adam,
  adamW,
  batchIndices,
  crossEntropy,
  meanSquaredError,
  sgd,
  Trainer,
  warmupCosine,
  type Optimizer,
} from 'fovea/train';
import { fails } from '../support/api.ts';
import { loadForTraining } from '../support/training.ts';
import { assertSameBits } from '../support/truth_bounds.ts';
import { TestRandom } from '../support/truth_random.ts';

const fovea = await loadForTraining();
after(() => fovea.dispose());

const random = new TestRandom(7);
const randomFloats = (count: number): Float32Array => random.normals([count]).data;

/** y = x·Wᵀ + b by least squares: weights after some steps, in double. */
function reference(
  update: (step: number, p: number, g: number, state: number[]) => number,
  { weight, bias, x, y }: Record<'weight' | 'bias' | 'x' | 'y', number[]>,
  steps: number,
): number[] {
  const [inputs, outputs, rows] = [3, 2, 4];
  const p = [...weight, ...bias];
  const states = p.map((): number[] => [0, 0]);
  for (let step = 1; step <= steps; step++) {
    const g = p.map(() => 0);
    for (let r = 0; r < rows; r++)
      for (let o = 0; o < outputs; o++) {
        let sum = p[inputs * outputs + o]!;
        for (let i = 0; i < inputs; i++) sum += x[r * inputs + i]! * p[o * inputs + i]!;
        const d = (2 * (sum - y[r * outputs + o]!)) / (rows * outputs);
        for (let i = 0; i < inputs; i++) g[o * inputs + i]! += d * x[r * inputs + i]!;
        g[inputs * outputs + o]! += d;
      }
    p.forEach((value, n) => (p[n] = update(step, value, g[n]!, states[n]!)));
  }
  return p;
}

const RATE = 0.05;

function adamReference(decay: number, isDecoupled: boolean) {
  return (step: number, p: number, given: number, state: number[]): number => {
    const g = isDecoupled ? given : given + decay * p;
    state[0] = 0.9 * state[0]! + 0.1 * g;
    state[1] = 0.999 * state[1]! + 0.001 * g * g;
    const kept = isDecoupled ? p * (1 - RATE * decay) : p;
    const [m, v] = [state[0] / (1 - 0.9 ** step), state[1] / (1 - 0.999 ** step)];
    return kept - (RATE * m) / (Math.sqrt(v) + 1e-8);
  };
}

function sgdReference(momentum: number, dampening: number, decay: number, isNesterov: boolean) {
  return (step: number, p: number, given: number, state: number[]): number => {
    const g = given + decay * p;
    state[0] = step === 1 ? g : momentum * state[0]! + (1 - dampening) * g;
    return p - RATE * (momentum === 0 ? g : isNesterov ? g + momentum * state[0] : state[0]);
  };
}

const optimizers: [string, Optimizer, ReturnType<typeof adamReference>][] = [
  ['sgd', sgd({ learningRate: RATE }), sgdReference(0, 0, 0, false)],
  [
    'sgd, momentum',
    sgd({ learningRate: RATE, momentum: 0.9, dampening: 0.1, weightDecay: 0.01 }),
    sgdReference(0.9, 0.1, 0.01, false),
  ],
  ['sgd, Nesterov', sgd({ learningRate: RATE, momentum: 0.9, nesterov: true }), sgdReference(0.9, 0, 0, true)],
  ['adam', adam({ learningRate: RATE, weightDecay: 0.1 }), adamReference(0.1, false)],
  ['adamW', adamW({ learningRate: RATE }), adamReference(0.01, true)],
];

describe('twenty steps of each optimizer', () => {
  const numbers = { weight: randomFloats(6), bias: randomFloats(2), x: randomFloats(12), y: randomFloats(8) };
  const lists = Object.fromEntries(Object.entries(numbers).map(([name, data]) => [name, Array.from(data)])) as Record<
    keyof typeof numbers,
    number[]
  >;
  for (const [name, optimizer, update] of optimizers)
    test(name, () => {
      const model = new Linear(fovea, { inFeatures: 3, outFeatures: 2 });
      model.loadStateDict({ weight: { data: numbers.weight, shape: [2, 3] }, bias: { data: numbers.bias, shape: [2] } });
      const trainer = new Trainer<null>(model, {
        loss: () =>
          meanSquaredError(fovea, model.forward({ data: numbers.x, shape: [4, 3] }), { data: numbers.y, shape: [4, 2] }),
        optimizer,
      });
      for (let step = 0; step < 20; step++) trainer.step(null);
      const want = reference(update, lists, 20);
      const state = model.stateDict();
      const got = [...state.get('weight')!.data, ...state.get('bias')!.data];
      // Adam divides by the root of squares: a rounding of the gradient is one of the step, each of at most 1.1 rates.
      got.forEach((value, n) => assert.ok(Math.abs(value - want[n]!) <= 20 * 64 * 2 ** -24, `${n}: ${value}, not ${want[n]}`));
      trainer.dispose();
      model.dispose();
    });
});

function decoder() {
  const model = new CausalDecoder(fovea, {
    vocabSize: 11,
    numLayers: 2,
    dModel: 8,
    nHead: 2,
    dimFeedforward: 12,
    rope: {},
    seed: 3,
  });
  const trainer = new Trainer<number>(model, {
    loss: (step) => {
      const ids = batchIndices(11, 10, { seed: 5, step });
      const targets = batchIndices(11, 10, { seed: 6, step });
      return crossEntropy(fovea, model.forward({ data: ids, shape: [2, 5] }), { data: targets, shape: [2, 5] });
    },
    optimizer: adamW({ learningRate: warmupCosine(1e-2, { warmup: 3, steps: 12 }) }),
    clipNorm: 0.5,
  });
  return { model, trainer };
}

function assertSameState(got: ReadonlyMap<string, NDArray>, want: ReadonlyMap<string, NDArray>): void {
  assert.deepEqual([...got.keys()], [...want.keys()]);
  for (const [name, { data, shape }] of want) {
    assert.deepEqual(got.get(name)!.shape, shape);
    assertSameBits(got.get(name)!.data, data, name);
  }
}

test('a weight that a loss does not depend on has a gradient of 0, whatever the step before left; a disposed trainer says so', () => {
  const [a, b] = [fovea.tensor([[1]]), fovea.tensor([[5]])];
  const trainer = new Trainer<boolean>(
    { a, b },
    {
      loss: (isOfA) => meanSquaredError(fovea, matmul(fovea, [[1]], isOfA ? a : b), [[0]]),
      optimizer: sgd({ learningRate: 0.25 }),
    },
  );
  assert.equal(trainer.step(true).gradientNorm, 2);
  assert.equal(trainer.step(false).gradientNorm, 10);
  assert.deepEqual([a.data[0], b.data[0]], [0.5, 2.5]);
  const state = trainer.stateDict();
  trainer.dispose();
  for (const call of [() => trainer.step(true), () => trainer.stateDict(), () => trainer.loadStateDict(state)])
    fails('disposed', /the trainer has been disposed/, call, fovea);
  for (const one of [a, b]) one.dispose();
});

describe('a run', () => {
  test('that is saved and loaded has the bytes of an uninterrupted one', async () => {
    const one = decoder();
    const before = fovea.memory().live;
    const last = await one.trainer.run({ steps: 12, batch: (step) => step });
    assert.equal(last?.step, 12);
    assert.equal(fovea.memory().live, before);
    const two = decoder();
    await two.trainer.run({ steps: 5, batch: (step) => step });
    const saved = two.trainer.stateDict();
    two.trainer.dispose();
    two.model.dispose();
    const three = decoder();
    three.trainer.loadStateDict(saved);
    await three.trainer.run({ steps: 7, batch: (step) => step });
    assertSameState(three.trainer.stateDict(), one.trainer.stateDict());
    assertSameState(three.model.stateDict(), one.model.stateDict());
    for (const { trainer, model } of [one, three]) {
      trainer.dispose();
      model.dispose();
    }
  });

  test('ends between two steps when it is aborted', async () => {
    const { model, trainer } = decoder();
    const control = new AbortController();
    const reason = new Error('enough');
    const onStep = ({ step }: { step: number }) => void (step === 3 && control.abort(reason));
    await assert.rejects(trainer.run({ steps: 9, batch: (step) => step, signal: control.signal, onStep }), reason);
    assert.equal(trainer.steps, 3);
    trainer.dispose();
    model.dispose();
  });
});

test('the loss falls, and a frozen weight stays', () => {
  const model = new Linear(fovea, { inFeatures: 3, outFeatures: 2, seed: 1 });
  const before = model.stateDict();
  const x = { data: randomFloats(12), shape: [4, 3] };
  const trainer = new Trainer<null>(model, {
    loss: () => crossEntropy(fovea, model.forward(x), [0, 1, 1, 0]),
    optimizer: sgd({ learningRate: 0.1 }),
    trainable: (name) => name !== 'bias',
  });
  const first = trainer.step(null).loss;
  const second = trainer.step(null).loss;
  assert.ok(second < first, `${second} after ${first}`);
  const after = model.stateDict();
  assertSameBits(after.get('bias')!.data, before.get('bias')!.data, 'bias');
  assert.notDeepEqual(after.get('weight')!.data, before.get('weight')!.data);
  trainer.dispose();
  model.dispose();
});

test('a loss or a gradient that is not finite changes nothing', () => {
  const model = new Linear(fovea, { inFeatures: 2, outFeatures: 2, seed: 1 });
  const trainer = new Trainer<number>(model, {
    loss: (x) => crossEntropy(fovea, model.forward([[x, 1]]), [0]),
    optimizer: adam({ learningRate: 0.1 }),
  });
  trainer.step(1);
  const before = trainer.stateDict();
  fails('value', /the loss of step 2 is NaN/, () => trainer.step(NaN), fovea);
  assertSameState(trainer.stateDict(), before);
  trainer.dispose();
  model.dispose();
});
