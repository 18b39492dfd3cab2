/** LinearState: steps, copies, and its life. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { load } from 'fovea';
import { linearAttention, linearState, linearStateFrom, type LinearStateOptions } from 'fovea/linear-attention';
import { fails, fovea, near, numbers, same } from '../support/api.ts';

after(() => fovea.dispose());

const sizes = { kvHeads: 1, width: 3, valueWidth: 4 };
const q = (seed = 1, T = 1) => numbers([2, T, 3], seed);
const k = (seed = 1, T = 1) => numbers([1, T, 3], seed + 50);
const v = (seed = 1, T = 1) => numbers([1, T, 4], seed + 90);

const all: [string, LinearStateOptions][] = [
  ['elu1', sizes],
  ['favor+', { ...sizes, featureMap: 'favor+', features: 5, seed: 9 }],
  ['favor+ with its projection', { ...sizes, featureMap: 'favor+', projection: numbers([4, 3], 8) }],
  ['exp, before the first key too', { ...sizes, featureMap: 'exp' }],
  ['gated', { ...sizes, updateRule: 'gated', retention: [0.75] }],
  ['delta', { ...sizes, updateRule: 'delta', beta: 0.5, qkNormalize: 'l2' }],
  ['with a batch', { ...sizes, batch: 1 }],
];

for (const [title, options] of all) {
  test(`a copy, a state read and loaded, and one out of JSON go on alike: ${title}`, () => {
    const before = fovea.memory().live;
    const state = linearState(fovea, options);
    const fresh = linearStateFrom(fovea, JSON.parse(JSON.stringify(state)));
    same(fresh.step(q(), k(), v()).data, state.clone().step(q(), k(), v()).data);
    state.step(q(1, 3), k(1, 3), v(1, 3));
    state.step(q(2), k(2), v(2));
    assert.equal(state.length, 4);
    const copy = state.clone();
    const revived = linearStateFrom(fovea, JSON.parse(JSON.stringify(state)));
    const loaded = linearState(fovea, options);
    loaded.load(state.state(), 4);
    const want = state.step(q(3), k(3), v(3)).data;
    for (const other of [copy, revived, loaded]) {
      assert.equal(other.length, 4);
      same(other.step(q(3), k(3), v(3)).data, want);
      assert.deepEqual(other.state(), state.state());
    }
    state.clear();
    assert.equal(state.length, 0);
    same(state.step(q(), k(), v()).data, linearState(fovea, options).step(q(), k(), v()).data);
    for (const one of [fresh, state, copy, revived, loaded]) one.dispose();
    assert.ok(fovea.memory().live >= before);
  });
}

test('it is what a call over all tokens makes, and its state what such a call returns', () => {
  const options = { featureMap: 'favor+', features: 6 } as const;
  const state = linearState(fovea, { ...sizes, ...options });
  const whole = linearAttention(fovea, q(1, 6), k(1, 6), v(1, 6), { ...options, causal: true, returnState: true });
  near(state.step(q(1, 6), k(1, 6), v(1, 6)), Array.from(whole.output.data));
  assert.deepEqual(state.state().s.shape, whole.state!.s.shape);
  state.load(whole.state!);
  assert.deepEqual(state.state(), whole.state);
  state.dispose();
});

test('its memory counts as live, is constant, outlives a scope, and is freed once', () => {
  const before = fovea.memory().live;
  const state = fovea.scope(() => linearState(fovea, { ...sizes, featureMap: 'favor+', features: 5 }));
  const held = fovea.memory().live;
  assert.ok(held > before);
  for (let t = 0; t < 5; t++) state.step(q(t), k(t), v(t));
  assert.equal(fovea.memory().live, held);
  const target = { data: new Float32Array(8), shape: [2, 1, 4] };
  assert.equal(state.step(q(), k(), v(), { out: { output: target } }), target);
  fovea.scope(() => {
    const output = state.step(fovea.tensor(q()), k(), v());
    assert.deepEqual(output.shape, [2, 1, 4]);
  });
  state.dispose();
  state.dispose();
  assert.equal(fovea.memory().live, before);
  assert.ok(state.disposed);
  fails('disposed', /linearState\.step: the state has been disposed/, () => state.step(q(), k(), v()));
  fails('disposed', /linearState\.state/, () => state.state());
  fails('disposed', /linearState\.clone/, () => state.clone());
});

test('gates come with the tokens, and go before those of the state', () => {
  const rule = { ...sizes, updateRule: 'gatedDelta' } as const;
  const state = linearState(fovea, rule);
  const fixed = linearState(fovea, { ...rule, decay: -0.5, beta: 0.25 });
  const gates = { decay: [[-0.5, -0.5]], beta: [[0.25, 0.25]] };
  same(state.step(q(1, 2), k(1, 2), v(1, 2), gates).data, fixed.step(q(1, 2), k(1, 2), v(1, 2)).data);
  same(state.step(q(2), k(2), v(2), { decay: -1, beta: 1 }).data, fixed.step(q(2), k(2), v(2), { decay: -1, beta: 1 }).data);
  fails('option', /needs decay or retention, got neither/, () => state.step(q(), k(), v(), { beta: 1 }));
  const retained = linearState(fovea, { ...sizes, retention: 0.5 });
  retained.step(q(), k(), v(), { decay: -1 });
  for (const one of [state, fixed, retained]) one.dispose();
});

test('a step that is refused leaves the state as it was', () => {
  const state = linearState(fovea, sizes);
  state.step(q(), k(), v());
  const before = state.state();
  fails('shape', /made for kvHeads 1, got 2/, () => state.step(q(), q(), numbers([2, 1, 4])));
  fails('shape', /made for width 3, got 4/, () => state.step(numbers([2, 1, 4]), numbers([1, 1, 4]), v()));
  fails('shape', /made for batch 1, got 2/, () =>
    state.step(numbers([2, 2, 1, 3]), numbers([2, 1, 1, 3]), numbers([2, 1, 1, 4])),
  );
  fails('option', /unknown option 'causal'/, () => state.step(q(), k(), v(), { causal: true } as never));
  fails('value', /state\.z must be given/, () => state.load({ s: before.s }));
  assert.deepEqual(state.state(), before);
  assert.equal(state.length, 1);
  state.dispose();
});

test('wrong options are refused when the state is made', () => {
  const wrong = (code: string, message: RegExp, options: object) =>
    fails(code, message, () => linearState(fovea, { ...sizes, ...options } as LinearStateOptions));
  wrong('value', /kvHeads must be an integer from 1/, { kvHeads: undefined });
  wrong('value', /width must be an integer from 1/, { width: 0 });
  wrong('option', /unknown option 'heads'/, { heads: 2 });
  wrong('option', /'softmax' sees all keys at once/, { featureMap: 'softmax' });
  wrong('option', /unknown option 'keyLengths'/, { keyLengths: [1] });
  wrong('value', /decay must be a finite number/, { updateRule: 'gated', decay: [[1]] });
  wrong('value', /eps must not be negative/, { eps: -1 });
  wrong('option', /beta goes with/, { beta: 1 });
  fails('value', /json must be what toJSON\(\) gave/, () => linearStateFrom(fovea, {} as never));
  const json = linearState(fovea, sizes).toJSON();
  fails('shape', /state\.s must be/, () => linearStateFrom(fovea, { ...json, state: { ...json.state, s: [[1]] } }));
});

test('a state of an instance that is gone is gone', async () => {
  const other = await load();
  const state = linearState(other, sizes);
  other.dispose();
  assert.ok(state.disposed);
  assert.throws(() => state.step(q(), k(), v()), { code: 'disposed' });
  state.dispose();
});
