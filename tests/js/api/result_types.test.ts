/** Results are typed by what was asked for: present where the options say so, else optional; with exactOptionalPropertyTypes too. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complaints, resolutions } from '../support/complaints.ts';

const start = `
  import { load, type AttentionOptions, type AttentionResult, type NDArray, type RequestTypes, type SparseWeights, type Tensor, type TraceStage } from 'fovea';
  import { kvCache } from 'fovea/cache';
  import { linearAttention, linformer, type LinearAttentionState } from 'fovea/linear-attention';
  import { MultiHeadAttention, SelfAttention } from 'fovea/nn';
  import { pattern } from 'fovea/pattern';
  import { multiDimensionalAttention } from 'fovea/score';
  import { connect, type RemoteTensor } from 'fovea/worker';
  const fovea = await load();
  const remote = await connect();
  const x = [[1]];
  const t: Tensor = fovea.tensor(x);
  const p = pattern.causal();
  const far: RemoteTensor = await remote.tensor(x);
  const params = { Wq: x, Wk: x, Wv: x };
  const cache = kvCache(fovea, { kvHeads: 1, width: 1, capacity: 4 });
  const mha = new MultiHeadAttention(fovea, { embedDim: 1, numHeads: 1, seed: 1 });
  const self = new SelfAttention(fovea, { dim: 1, seed: 1 });
  const asks: boolean = Math.random() < 0.5;
  const all = { returnWeights: true, returnLse: true, returnLogits: 'raw', trace: true } as const;
  const every = { returnWeights: asks, returnLse: asks, trace: asks };
`;

/** A call by its options, and the array that it returns. */
const calls: readonly (readonly [call: string, array: 'NDArray' | 'Tensor' | 'RemoteTensor'])[] = [
  ['fovea.attention(x, x, x, OPTIONS)', 'NDArray'],
  ['fovea.scaledDotProductAttention(t, x, x, OPTIONS)', 'Tensor'],
  ['fovea.attention(x, cache, OPTIONS)', 'NDArray'],
  ['fovea.selfAttention(t, params, OPTIONS)', 'Tensor'],
  ['fovea.multiHeadAttention(x, x, x, params, { heads: 1, ...OPTIONS })', 'NDArray'],
  ['mha.forward(t, x, x, OPTIONS)', 'Tensor'],
  ['self.forward(x, OPTIONS)', 'NDArray'],
  ['linformer(fovea, x, x, x, { rank: 1, ...OPTIONS })', 'NDArray'],
  ['(await remote.attention(x, x, x, OPTIONS))', 'NDArray'],
  ['(await remote.scaledDotProductAttention(far, x, x, OPTIONS))', 'RemoteTensor'],
  ['(await remote.selfAttention(far, params, OPTIONS))', 'RemoteTensor'],
  ['(await remote.multiHeadAttention(x, x, x, params, { heads: 1, ...OPTIONS }))', 'NDArray'],
];

const present = calls.map(([call, array], n) => {
  const asked = call.replace('OPTIONS', 'all');
  const open = call.replace('OPTIONS', 'every');
  return `
  const { weights: w${n}, lse: s${n}, logits: g${n}, trace: e${n} } = ${asked};
  const asked${n}: [${array}, ${array}, ${array}, TraceStage[]] = [w${n}, s${n}, g${n}, e${n}];
  const { weights: u${n}, lse: v${n}, logits: l${n}, trace: y${n} } = ${open};
  const open${n}: [${array} | undefined, ${array} | undefined, ${array} | undefined, TraceStage[] | undefined] = [u${n} as ${array} | undefined, v${n}, l${n}, y${n}];`;
});

const others = `
  const lists: SparseWeights = fovea.attention(x, x, x, { pattern: p, returnWeights: true }).weights;
  const dense: Tensor = fovea.attention(t, t, t, { pattern: p, returnWeights: 'dense' }).weights;
  const narrowed: TraceStage[] = fovea.attention(x, x, x, { trace: { head: 0 } }).trace;
  const state: LinearAttentionState<NDArray> = linearAttention(fovea, x, x, x, { returnState: true }).state;
  const stages: TraceStage[] = linearAttention(fovea, t, t, t, { trace: true }).trace;
  const perFeature: NDArray = multiDimensionalAttention(fovea, null, x, x, { Wk: x }, { returnWeights: true }).weights;
  const features: TraceStage[] = multiDimensionalAttention(fovea, x, x, x, { Wq: x, Wk: x }, { trace: true }).trace;
  const joined: NDArray = fovea.combine([fovea.attention(x, x, x, { returnLse: true })]).output;
  const settled: AttentionOptions = all;
  const result: AttentionResult<NDArray> = fovea.attention(x, x, x, settled);
  const asked: AttentionResult<NDArray, NDArray> = fovea.attention(x, x, x, all);
`;

const optional = [
  'const w: NDArray = fovea.attention(x, x, x).weights;',
  'const w: NDArray = fovea.attention(x, x, x, { returnWeights: asks }).weights;',
  'const w: NDArray = fovea.attention(x, x, x, { returnWeights: false }).weights;',
  'const s: NDArray = fovea.attention(x, x, x, { returnLse: asks }).lse;',
  'const s: NDArray = fovea.selfAttention(x, params, { returnWeights: true }).lse;',
  'const e: TraceStage[] = fovea.multiHeadAttention(x, x, x, params, { heads: 1, trace: asks }).trace;',
  'const s: LinearAttentionState<NDArray> = linearAttention(fovea, x, x, x, { returnState: asks }).state;',
  'const e: TraceStage[] = linearAttention(fovea, x, x, x).trace;',
  'const w: NDArray = multiDimensionalAttention(fovea, x, x, x, { Wq: x, Wk: x }, { returnWeights: asks }).weights;',
  'const w: Tensor = mha.forward(t, x, x, { returnWeights: asks }).weights;',
  'const w: NDArray = (await remote.attention(x, x, x, { returnWeights: asks })).weights;',
  'const w: NDArray = fovea.attention(x, cache, { returnWeights: asks }).weights;',
];

test('without strictNullChecks, too, what the options ask for has its type', () => {
  const program = `${start}${present.join('')}${others}
  const options: AttentionOptions<RequestTypes<true>> = { returnWeights: true };
  const either: NDArray | SparseWeights = fovea.attention(x, x, x, options).weights;
  // @ts-expect-error whether there is a pattern is not known
  const sparse: SparseWeights = fovea.attention(x, x, x, options).weights;
  const unasked: NDArray = fovea.attention(x, x, x).weights;
  export {};`;
  assert.deepEqual(complaints('results_loose', program, { ...resolutions['bundler'], strict: false }), []);
});

for (const [name, resolution] of Object.entries(resolutions)) {
  const check = (program: string): string[] =>
    complaints(`results_${name}`, `${start}${program}\nexport {};`, { ...resolution, exactOptionalPropertyTypes: true });

  test(`${name}: what the options ask for is present, for every call`, () => {
    assert.deepEqual(check(present.join('') + others), []);
  });

  test(`${name}: what they leave open, or do not ask for, may be undefined`, () => {
    const found = check(optional.map((line) => `{ ${line} }`).join('\n'));
    assert.equal(found.length, optional.length, found.join('\n'));
    for (const complaint of found) assert.match(complaint, /^Type '.*undefined' is not assignable/);
  });
}
