/** The published types, as TypeScript users meet them: under both resolutions, with their own libs, and library checks on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type ts from 'typescript';
import { assertRefused, complaints as complaintsOf, resolutions } from '../support/complaints.ts';

const complaints = (program: string, options: ts.CompilerOptions): string[] => complaintsOf('program', program, options);
const refused = (program: string, options: ts.CompilerOptions, ...wrong: [code: string, complaint: RegExp][]): void =>
  assertRefused('refused', program, wrong, options);

const remoteProgram = `
  import { connect, AttentionError, RemoteTensor, type CallOptions, type ConnectOptions, type NDArray, type Progress, type RemoteAttentionOptions, type RemoteFovea, type SparseWeights } from 'fovea/worker';
  import { pattern } from 'fovea/pattern';
  import { bias } from 'fovea/score';
  const options: ConnectOptions = { deterministic: true, sliceTime: 10, signal: undefined };
  const remote: RemoteFovea = await connect(options);
  const call: CallOptions = { signal: new AbortController().signal, onProgress: ({ done, total }: Progress) => done / total, transfer: true };
  const plain: NDArray = (await remote.attention([[1]], [[1]], { data: new Float32Array(1), shape: [1, 1] as const }, { mask: [[true]], ...call })).output;
  const q: RemoteTensor = await remote.tensor(plain, call);
  const mine: RemoteAttentionOptions = { causal: true, scale: undefined, mask: q, bias: bias.alibi(), out: { output: q, lse: plain } };
  const kept: RemoteTensor = (await remote.attention(q, plain, [[1]], mine)).output;
  const either: RemoteTensor | NDArray = (await remote.attention(q as RemoteTensor | NDArray, q, q)).output;
  const weights: RemoteTensor | undefined = (await remote.selfAttention(q, { Wq: q, Wk: plain, Wv: [[1]], Wo: undefined }, { returnWeights: true, ...call })).weights;
  await remote.multiHeadAttention(q, q, q, { Wq: q, Wk: q, Wv: q, biasK: [1], biasV: q }, { heads: 2, averageWeights: true, ...call });
  const joined: RemoteTensor = (await remote.combine([{ output: kept, lse: [1] }, { output: q, lse: q }], { sinks: 1, ...call })).output;
  const count: number = await remote.scope(async (scoped: RemoteFovea) => (await scoped.memory()).live);
  const array: NDArray = await (await (await q.slice(0, 0, 1)).reshape([1])).toArray({ signal: call.signal });
  await q.set(new Float64Array(1), call);
  const sparse: SparseWeights = (await remote.attention(q, q, q, { pattern: pattern.causal(), returnWeights: true, ...call })).weights!;
  q.dispose();
  const done: Promise<void> = remote.dispose();
  remote.terminate();
  export { joined, kept, either, weights, count, array, done, sparse, AttentionError };
`;

/** The module of a model in a worker, and its other side; functions are known there by their type alone. */
const servedProgram = `
  import { type ArrayInput, type Fovea, type NDArray, type Tensor } from 'fovea';
  import { type Pattern } from 'fovea/pattern';
  import { serve, type ServedCall } from 'fovea/serve';
  import { connect, type RemoteFovea, type RemoteFunction, type RemoteTensor } from 'fovea/worker';
  interface Part { readonly done: number; readonly x: Tensor }
  interface Tree { readonly children: readonly Tree[]; readonly x: Tensor }
  const functions = {
    async embed(fovea: Fovea, x: ArrayInput, { signal, post }: ServedCall<Part>): Promise<NDArray> {
      await post({ done: 1, x: fovea.tensor([1]) });
      signal.throwIfAborted();
      return fovea.attention(x, x, x).output as NDArray;
    },
    attend: (fovea: Fovea, { x, keep, mask }: { x: Tensor; keep?: readonly [Tensor, string]; mask: Pattern }) => [x, fovea.attention(x, x, x, { pattern: mask }), keep] as const,
    tree: (_: Fovea, tree: Tree): Tree | null => tree,
    optional: (_: Fovea, n?: number): number | undefined => n,
    bytes: (_: Fovea, bytes: Uint8Array): Map<string, Date> => new Map([['x', new Date(bytes.length)]]),
    none: (): string => 'x',
  };
  serve({ functions });
  serve({ functions: { inline(fovea, x: ArrayInput, { post }) { void post(1); return fovea.attention(x, x, x); } } });
  const worker = new Worker(new URL('https://example.com/model.worker.js'), { type: 'module' });
  const remote: RemoteFovea<typeof functions> = await connect<typeof functions>({ worker, timeout: 1000 });
  const call = remote.functions;
  const t: RemoteTensor = await remote.tensor([[1]]);
  const embedded: NDArray = await call.embed([[1]], { signal: new AbortController().signal, onPost: ({ done, x }) => { const n: number = done; const y: RemoteTensor = x; void [n, y]; }, transfer: true });
  await call.embed(t);
  const [same, { output }, kept] = await call.attend({ x: t, mask: {} as Pattern, keep: [t, 'x'] });
  const both: readonly RemoteTensor[] = [same, output, kept![0]];
  const tree: RemoteTensor = (await call.tree({ children: [{ children: [], x: t }], x: t }))!.children[0]!.x;
  const optional: number | undefined = await call.optional();
  const map: Map<string, Date> = await call.bytes(new Uint8Array(1));
  const text: string = (await call.none()).concat(await call.none(undefined, { transfer: false }));
  const scoped: NDArray = await remote.scope((inner) => inner.functions.embed([[1]]));
  const one: RemoteFunction<typeof functions.none> = call.none;
  export { embedded, both, tree, optional, map, text, scoped, one };
`;

const program = `
  import { load, AttentionError, Tensor, toNested, type Fovea, type LoadOptions, type NDArray, type AttentionOptions, type ErrorCode, type SparseWeights } from 'fovea';
  import { matmul, softmax } from 'fovea/ops';
  import { pattern, type Pattern } from 'fovea/pattern';
  import { bias } from 'fovea/score';
  import { load as loadInline } from 'fovea/inline';
  const options: LoadOptions = { deterministic: true };
  const fovea: Fovea = await load(options);
  const same: Fovea = await loadInline();
  const plain: NDArray = fovea.attention([[1]], [[1]], { data: new Float32Array(1), shape: [1, 1] as const }, { mask: [[true]] }).output;
  const q: Tensor = fovea.tensor(plain);
  const kept: Tensor = fovea.attention(q, plain, [[1]]).output;
  const either: Tensor | NDArray = fovea.attention(q as Tensor | NDArray, q, q).output;
  const weights: Tensor | undefined = fovea.selfAttention(q, { Wq: q, Wk: q, Wv: q }, { returnWeights: true }).weights;
  const joined: Tensor = fovea.combine([fovea.attention(q, q, q, { returnLse: true })], { sinks: 1 }).lse;
  const plainly: NDArray = fovea.combine([{ output: [[1]], lse: q }]).output;
  const rows: Float32Array = softmax(fovea, [[1]], { axis: 0 }).data;
  const count: number = fovea.scope(() => 1);
  const mine: AttentionOptions = { causal: true, scale: undefined, bias: bias.alibi() };
  const code: ErrorCode = new AttentionError('shape', 'x').code;
  fovea.multiHeadAttention(q, q, q, { Wq: q, Wk: q, Wv: q }, { heads: 2, ...mine });
  const p: Pattern = pattern.window(2, 2).or(pattern.globalTokens([0]), pattern.bigBird({ block: 8 })).and(pattern.causal()).not();
  const sparse: SparseWeights = fovea.attention(q, q, q, { pattern: p, returnWeights: true }).weights!;
  const asked: SparseWeights = fovea.attention(q, q, q, { returnWeights: 'sparse' }).weights!;
  const full: Tensor = fovea.attention(q, q, q, { pattern: p, returnWeights: 'dense' }).weights!;
  const none: NDArray | undefined = fovea.attention([[1]], [[1]], [[1]], { pattern: p }).weights;
  const unknown: NDArray | SparseWeights | undefined = fovea.attention([[1]], [[1]], [[1]], mine).weights;
  const later: AttentionOptions = { pattern: p, returnWeights: 'sparse' };
  const perHead: SparseWeights = fovea.multiHeadAttention(q, q, q, { Wq: q, Wk: q, Wv: q }, { heads: 2, pattern: p, returnWeights: true }).weights!;
  const mask: { data: Uint8Array; shape: number[] } = p.toMask(fovea, { queries: 3, keys: 3, offset: undefined });
  fovea.attention(q, q, q, { mask, ...later });
  const bound: Pattern = pattern.lsh({ buckets: 4 }).bind(fovea, q, plain);
  const again: Pattern = pattern.from(p.toJSON());
  const share: number = pattern.fromFunction((i, j) => i >= j).density(fovea, { queries: 2, keys: 2 });
  pattern.graph({ edges: [[0, 1]], bias: [1] });
  pattern.graph({ indptr: new Int32Array(2), indices: [0] });
  export { sparse, asked, full, none, unknown, perHead, bound, again, share };
  export { same, kept, either, weights, joined, plainly, rows, count, code, toNested };
`;

const linearProgram = `
  import { load, type Fovea, type NDArray, type Tensor } from 'fovea';
  import { AttentionError, approximation, favorProjection, linearAttention, linearState, linearStateFrom, linformer, type Approximation, type LinearOptions, type LinearState, type LinearAttentionState } from 'fovea/linear-attention';
  const fovea: Fovea = await load();
  const options: LinearOptions = { featureMap: 'favor+', features: 4, causal: true, scale: undefined };
  const { output, state } = linearAttention(fovea, [[1]], [[1]], [[1]], { ...options, returnState: true });
  const plain: NDArray = output;
  const sums: LinearAttentionState<NDArray> | undefined = state;
  const x: Tensor = fovea.tensor(plain);
  const kept: Tensor = linearAttention(fovea, x, x, x, { updateRule: 'gatedDelta', decay: x, beta: 1, initialState: sums }).output;
  const decoder: LinearState = linearState(fovea, { kvHeads: 1, width: 1, retention: 0.5 });
  const row: Tensor = decoder.step(x, x, x, { decay: -1 });
  const again: LinearState = linearStateFrom(fovea, decoder.toJSON());
  const mixed: NDArray | undefined = linformer(fovea, [[1]], [[1]], [[1]], { rank: 1, returnWeights: true }).weights;
  const far: Approximation = approximation(fovea, x, x, x, { linear: options });
  const w: NDArray = favorProjection(fovea, { width: 4 });
  export { kept, row, again, mixed, far, w, AttentionError };
`;

const filesProgram = `
  import { load } from 'fovea';
  import { matmul } from 'fovea/ops';
  import { AttentionError, readNpy, readSafetensors, writeNpy, writeSafetensors, type Dtype, type FileTensor } from 'fovea/files';
  const fovea = await load();
  const bytes = writeSafetensors({ W: [[1]], x: fovea.tensor([[1]]), n: { data: new BigInt64Array(1), shape: [] } }, { dtype: 'F16' });
  const { tensors, metadata } = await readSafetensors(new File([bytes], 'w'), { names: ['W'], as: undefined });
  const W: FileTensor = tensors.get('W')!;
  matmul(fovea, [[1]], W);
  const dtype: Dtype = W.dtype;
  const copy = writeSafetensors(tensors, { metadata });
  const { data } = await readNpy(writeNpy(W, { dtype: 'F64' }), { as: 'stored' });
  export { copy, data, dtype, AttentionError };
`;

const opsProgram = `
  import { load, type Fovea, type NDArray, type Tensor } from 'fovea';
  import { AttentionError, add, conv1d, elu, geglu, gelu, geluTanh, glu, layerNorm, leakyRelu, linear, logSoftmax, logSumExp, matmul, maxPool, meanPool, quickGelu, reglu, relu, rmsNorm, sigmoid, silu, softmax, swiglu, tanh, type ActivationName, type Conv1dOptions, type LayerNormOptions, type MaxPoolOptions, type MeanPoolOptions, type Padding, type RmsNormOptions } from 'fovea/ops';
  const fovea: Fovea = await load();
  const x: Tensor = fovea.tensor([[1]]);
  const activation: ActivationName = 'gelu';
  const rms: RmsNormOptions = { weight: x, eps: 1e-6, residual: undefined };
  const options: LayerNormOptions = { ...rms, bias: [1], axis: -1 };
  const padding: Padding = [1, 0];
  const windows: MaxPoolOptions = { kernel: 2, padding };
  const means: MeanPoolOptions = { ...windows, countPadding: false };
  const convolution: Conv1dOptions = { padding: 'causal', layout: 'btd', bias: x, groups: 1 };
  const plain: NDArray[] = [relu(fovea, [1]), tanh(fovea, [1]), sigmoid(fovea, [1]), logSumExp(fovea, [[1]], { axis: 0 }), matmul(fovea, [[1]], x)];
  const kept: Tensor[] = [
    gelu(fovea, x), geluTanh(fovea, x), silu(fovea, x, { beta: 2 }), elu(fovea, x, { alpha: 1 }), leakyRelu(fovea, x, { slope: 0.1 }),
    glu(fovea, x), geglu(fovea, x, { activation: 'geluTanh', axis: 0 }), swiglu(fovea, x), reglu(fovea, x), layerNorm(fovea, x, options),
    rmsNorm(fovea, x, rms), quickGelu(fovea, x), conv1d(fovea, x, [[[1]]], convolution), maxPool(fovea, x, windows), meanPool(fovea, x, means),
    linear(fovea, x, [[1]], undefined, { activation }), add(fovea, x, [1], { scale: 0.5 }), softmax(fovea, x), logSoftmax(fovea, x),
  ];
  export { plain, kept, AttentionError };
`;

const modulesProgram = `
  import { load, type Fovea, type NDArray, type SparseWeights, type Tensor } from 'fovea';
  import { readSafetensors } from 'fovea/files';
  import { AttentionError, Conv1d, Conv1dGLU, FeedForward, GRU, LayerNorm, Linear, LSTM, Module, MultiHeadAttention, Residual, RMSNorm, RNN, SelfAttention, TransformerDecoder, TransformerDecoderLayer, TransformerEncoder, TransformerEncoderLayer, type LayerForwardOptions, type DecoderForwardOptions, type EncoderForwardOptions, type EncoderWindow, type ForwardOptions, type LoadOptions, type MultiHeadAttentionOptions, type SequenceOptions, type StateDict, type TransformerEncoderLayerOptions, type TransformerEncoderOptions, type TransformerLayerOptions, type TransformerStackOptions } from 'fovea/nn';
  import { pattern } from 'fovea/pattern';
  const fovea: Fovea = await load();
  const x: Tensor = fovea.tensor([[1]]);
  const { tensors } = await readSafetensors('w');
  const dict: StateDict = tensors;
  const how: LoadOptions = { prefix: 'a.', strict: false };
  const options: MultiHeadAttentionOptions = { embedDim: 1, numHeads: 1, kdim: undefined, addBiasKv: true };
  const mha = new MultiHeadAttention(fovea, options);
  mha.loadStateDict(dict, how);
  mha.loadKeras({ 'query/kernel': [[[1]]] });
  const rules: LayerForwardOptions<undefined> = { attnMask: [[true]], keyPaddingMask: x, causal: true };
  const asked: ForwardOptions = { ...rules, returnWeights: true, averageAttnWeights: false };
  const weights: Tensor = mha.forward(x, [[1]], undefined, { ...rules, returnWeights: true }).weights!;
  const lists: SparseWeights = mha.forward(x, x, x, { pattern: pattern.causal(), returnWeights: true }).weights!;
  const layer: TransformerLayerOptions = { dModel: 1, nHead: 1, activation: 'geluTanh', normFirst: true, seed: 1 };
  const stack: TransformerStackOptions = { ...layer, numLayers: 2, finalNorm: true };
  const far: DecoderForwardOptions = { ...rules, memoryMask: [[false]], memoryKeyPaddingMask: [[0.5]] };
  const memory: Tensor = new TransformerEncoder(fovea, stack).forward(x, rules);
  const window: EncoderWindow = [1, -1];
  const ownLayer: TransformerEncoderLayerOptions = { ...layer, window, gated: true, norm: 'rms', rope: { base: 100 }, attentionBias: false };
  const windows: TransformerEncoderOptions[] = [{ ...ownLayer, numLayers: 2 }, { ...stack, window: [window, null] }, { ...stack, window: (n) => (n > 0 ? window : null) }];
  const texts: EncoderForwardOptions = { lengths: Int32Array.of(1), causal: true };
  const states: Tensor[] = windows.flatMap((own) => new TransformerEncoder(fovea, own).hiddenStates(x, texts));
  const plain: NDArray[] = [
    new TransformerDecoder(fovea, stack).forward([[1]], memory, far), new TransformerEncoderLayer(fovea, layer).forward([[1]]),
    new TransformerDecoderLayer(fovea, layer).forward([[1]], [[1]]), new FeedForward(fovea, { dModel: 1 }).forward([[1]]),
    new Linear(fovea, { inFeatures: 1, outFeatures: 1, activation: 'silu' }).forward([[1]]), new LayerNorm(fovea, { normalizedShape: 1 }).forward([[1]], { residual: x }),
    new RMSNorm(fovea, { normalizedShape: 1, eps: undefined }).forward([[1]]), new SelfAttention(fovea, { dim: 1 }).forward([[1]], { causal: true }).output,
    new Residual(fovea, mha).forward([[1]], undefined, undefined, rules), mha.stateDict().get('w')!, ...mha.stateDict({ prefix: 'a.' }).values(), mha.forward([[1]], asked).output,
  ];
  const sequence: SequenceOptions = { lengths: [1], initialState: { hidden: [[1]] } };
  const sizes = { inputSize: 1, hiddenSize: 1 };
  const kept: Tensor[] = [
    new RNN(fovea, { ...sizes, nonlinearity: 'relu' }).forward(x, sequence).output, new GRU(fovea, sizes).forward(x).hidden,
    new LSTM(fovea, { ...sizes, projSize: 1 }).forward(x).cell, new Conv1d(fovea, { inChannels: 1, outChannels: 1, kernelSize: 1 }).forward(x),
    new Conv1dGLU(fovea, { inChannels: 1, outChannels: 1, kernelSize: 1, padding: 'causal' }).forward(x),
  ];
  const all: Module[] = [mha];
  const count: number = all[0]!.parameters;
  export { asked, weights, lists, plain, kept, states, count, AttentionError };
`;

const layerProgram = `
  import { load, type Fovea, type NDArray, type Tensor } from 'fovea';
  import { gru, lstm, rnn, type LstmResult, type RecurrentOptions, type RecurrentParams, type RnnOptions } from 'fovea/ops';
  import { AttentionError, learnedPositions, recurrentPositions, rotaryEmbedding, sinusoidalPositions, type RotaryOptions, type SinusoidalForm } from 'fovea/position';
  const fovea: Fovea = await load();
  const params: RecurrentParams = { weight_ih_l0: [[1]], weight_hh_l0: [[1]], bias_ih_l0: undefined, weight_hh_l12_reverse: [[1]] };
  const dict: Record<string, NDArray> = {};
  const x: Tensor = fovea.tensor([[1]]);
  const state: LstmResult<Tensor> = lstm(fovea, x, dict, { lengths: [1], layout: 'tbd' });
  const next: NDArray = lstm(fovea, [[1]], dict, { initialState: { hidden: state.hidden, cell: state.cell } }).cell;
  const options: RnnOptions = { nonlinearity: 'relu', initialState: undefined };
  const one: NDArray = rnn(fovea, [[1]], params, options).hidden;
  const kept: Tensor = gru(fovea, x, dict, { resetAfter: false } satisfies object as RecurrentOptions).output;
  const form: SinusoidalForm = 'splitHalf';
  const waves: NDArray = sinusoidalPositions(fovea, { tokens: 1, width: 2, form });
  const turns: RotaryOptions = { positions: [[1]], llama3: { factor: 8, originalTokens: 10 }, heads: 2 };
  const q: Tensor = rotaryEmbedding(fovea, x, turns);
  const rows: NDArray = learnedPositions(fovea, [[1]], { positions: new Int32Array(1) });
  const runs: NDArray = recurrentPositions(fovea, { tokens: 3, params: dict, initialState: { hidden: [1] } });
  export { next, one, kept, waves, q, rows, runs, AttentionError };
`;

const scoreProgram = `
  import { load, type Fovea, type NDArray, type Tensor } from 'fovea';
  import { AttentionError, multiDimensionalAttention, score, type AdditiveParams, type MultiDimensionalResult, type Score } from 'fovea/score';
  const fovea: Fovea = await load();
  const params: AdditiveParams = { Wq: [[1]], Wk: [[1]], w: [1], bias: undefined };
  const additive: Score = score.additive(params, { weightLayout: 'outIn' });
  const each: readonly Score[] = [score.dot(), score.scaledDot(), score.cosine(), score.bilinear([[1]]), score.location([[1]]), score.concat({ W: [[1], [1]], w: [1] })];
  const x: Tensor = fovea.tensor([[1]]);
  const kept: Tensor = fovea.attention(x, x, x, { score: additive }).output;
  const own: NDArray = fovea.selfAttention([[1]], { Wq: [[1]], Wk: [[1]], Wv: [[1]] }, { score: additive, scale: 2 }).output;
  const features: MultiDimensionalResult = multiDimensionalAttention(fovea, [[1]], [[1]], [[1]], { Wq: [[1]], Wk: [[1]] }, { c: 5 });
  const sentence: Tensor = multiDimensionalAttention(fovea, null, x, x, { Wk: [[1]], W: [[1]] }, { activation: 'elu' }).output;
  const graph: Score = score.pairSum({ wq: [1], wk: [1] }, { activation: 'none' });
  const bent: Score = score.additive(params, { activation: 'leakyRelu', slope: 0.1 });
  const projected: readonly Score[] = [score.additive({ Wq: [[1]], w: [1] }, { keys: 'projected' }), score.pairSum({ wq: [1] }, { keys: 'projected' })];
  // @ts-expect-error without Wk keys are projected
  score.additive({ Wq: [[1]], w: [1] });
  // @ts-expect-error
  score.additive({ Wq: [[1]], Wk: [[1]], w: [1] }, { activation: 'none' });
  const lse: Tensor = multiDimensionalAttention(fovea, x, x, x, { Wq: [[1]], Wk: [[1]] }, { returnLse: true }).lse;
  export { each, kept, own, features, sentence, graph, bent, projected, lse, AttentionError };
`;

const cacheProgram = `
  import { load, type Fovea, type NDArray, type RequestTypes, type SparseWeights, type Tensor } from 'fovea';
  import { AttentionError, kvCache, type AppendOptions, type CacheAttentionOptions, type CacheDtype, type KvCache, type KvCacheOptions } from 'fovea/cache';
  import { pattern } from 'fovea/pattern';
  const fovea: Fovea = await load();
  const dtype: CacheDtype = 'float16';
  const options: KvCacheOptions = { batch: 1, kvHeads: 1, width: 1, valueWidth: undefined, capacity: 9, window: 4, sinkTokens: 1, dtype };
  const cache: KvCache = kvCache(fovea, options);
  const packed: AppendOptions = { kvHeads: 1 };
  const x: Tensor = fovea.tensor([[1]]);
  cache.append(x, [[1]], packed);
  const output: NDArray = fovea.attention([[1]], cache, { causal: true, mask: [[true]] }).output;
  const kept: Tensor = fovea.scaledDotProductAttention(x, cache).output;
  const lists: SparseWeights | undefined = fovea.attention(x, cache, { pattern: pattern.causal(), returnWeights: true }).weights;
  const asked: CacheAttentionOptions<RequestTypes<true, undefined>> = { causal: true, returnWeights: true };
  const dense: NDArray | undefined = fovea.attention([[1]], cache, asked).weights;
  const fork: KvCache = cache.clone();
  fork.truncate(0);
  const counts: number = cache.length + cache.visibleLength;
  export { output, kept, lists, dense, counts, AttentionError };
`;

/** Every kind of array; those of another thread are taken by a connection. */
const arraysProgram = (take: string): string => `
  import { load, type ArrayInput, type Tensor } from 'fovea';
  import { connect, type ArrayData16, type ForeignTensor, type NestedRows, type PlainArray, type RemoteArrayInput, type RemoteTensor } from 'fovea/worker';
  const fovea = await load();
  const remote = await connect();
  const rows: NestedRows = [new Float32Array(2), new Int8Array(2)];
  const deep: NestedRows = [[new Float64Array(2)], [new Uint8Array(2)]];
  const foreign: ForeignTensor = { data: new Float32Array(2), dims: [1, 2], type: 'float32' };
  const half: ArrayData16 = { data: new Uint16Array(2), shape: [1, 2], dtype: 'float16' };
  const all: readonly (PlainArray & ArrayInput & RemoteArrayInput)[] = [rows, deep, foreign, half, [[1, 2]], { data: new Float32Array(2), shape: [1, 2] }];
  const same: RemoteArrayInput = all[0] as Exclude<ArrayInput, Tensor>;
  for (const x of all) {
    ${take}
  }
  export { same };
`;

/** The configuration that Next writes into a project that was JavaScript. */
test('without strictNullChecks, too, no program has a complaint', () => {
  const programs = [
    program,
    remoteProgram,
    servedProgram,
    linearProgram,
    filesProgram,
    opsProgram,
    modulesProgram,
    layerProgram,
  ];
  for (const one of [...programs, scoreProgram, cacheProgram, arraysProgram('fovea.attention(x, x, x);')])
    assert.deepEqual(complaints(one, { ...resolutions['bundler'], strict: false }), []);
});

for (const [name, resolution] of Object.entries(resolutions)) {
  test(`${name}: every kind of array is taken, by a connection as by an instance`, () => {
    const calls = ['fovea.attention(x, x, x);', 'await remote.attention(x, x, x);', '(await remote.tensor(x)).set(x);'];
    const weights = 'await remote.selfAttention(x, { Wq: x, Wk: x, Wv: x });';
    assert.deepEqual(complaints(arraysProgram([...calls, weights].join('\n')), resolution), []);
  });

  test(`${name}: where lse is asked for, it is there`, () => {
    const line = 'const none: Tensor = multiDimensionalAttention(fovea, x, x, x, { Wq: [[1]], Wk: [[1]] }).lse;';
    assert.match(complaints(`${scoreProgram}\n${line}`, resolution).join(), /^Type 'Tensor \| undefined' is not assignable/);
  });

  test(`${name}: a program with every kind of call has no complaint`, () =>
    assert.deepEqual(complaints(program, resolution), []));

  test(`${name}: so has one with every kind of call to a worker`, () =>
    assert.deepEqual(complaints(remoteProgram, resolution), []));

  test(`${name}: so has one with a model in a worker, and wrong calls of it are refused`, () => {
    assert.deepEqual(complaints(servedProgram, resolution), []);
    refused(
      servedProgram,
      resolution,
      ['call.embde([[1]]);', /'embde' does not exist/],
      ['call.embed();', /Expected 1-2 arguments/],
      ["call.embed('x');", /not assignable/],
      ['call.attend({ x: {} as Tensor, mask: {} as Pattern });', /not assignable/],
      ['call.embed([[1]], { onProgress: () => 1 });', /'onProgress' does not exist/],
      ['call.embed([[1]], { onPost: ({ did }) => did });', /'did' does not exist/],
      ['const n: number = await call.none();', /Type 'string' is not assignable to type 'number'/],
      ['connect<{ x: number }>();', /does not satisfy the constraint/],
      ['connect({ worker: 3 });', /not assignable/],
      ['(await connect()).functions.embed([[1]]);', /'embed' does not exist/],
      ['serve({ functions: { a: 1 } });', /not assignable/],
      ['serve({ functions: { of: (fovea, x) => fovea.tensor(x) } });', /'unknown' is not assignable/],
      ['serve({});', /'functions' is missing/],
    );
  });

  test(`${name}: so has one with every function of fovea/linear-attention`, () =>
    assert.deepEqual(complaints(linearProgram, resolution), []));

  test(`${name}: so has one with every function of fovea/files`, () =>
    assert.deepEqual(complaints(filesProgram, resolution), []));

  test(`${name}: so has one with every function of fovea/ops`, () => assert.deepEqual(complaints(opsProgram, resolution), []));

  test(`${name}: so has one with every class of fovea/nn, and misspelt options are refused`, () => {
    assert.deepEqual(complaints(modulesProgram, resolution), []);
    assert.match(complaints(modulesProgram.replace('attnMask:', 'mask:'), resolution).join(), /'mask' does not exist/);
  });

  test(`${name}: so has one with recurrent layers and positions, and misspelt weights are refused`, () => {
    assert.deepEqual(complaints(layerProgram, resolution), []);
    const wrong = layerProgram.replace('bias_ih_l0: undefined', 'bias_ih_10: undefined');
    assert.match(complaints(wrong, resolution).join(), /'bias_ih_10' does not exist/);
  });

  test(`${name}: so has one with every function of fovea/score`, () =>
    assert.deepEqual(complaints(scoreProgram, resolution), []));

  test(`${name}: so has one with every function of fovea/cache, and wrong calls are refused`, () => {
    assert.deepEqual(complaints(cacheProgram, resolution), []);
    refused(
      cacheProgram,
      resolution,
      ['fovea.attention(x, cache, { keyLengths: [1] });', /'keyLengths' does not exist/],
      ["kvCache(fovea, { ...options, dtype: 'float64' });", /not assignable to type 'CacheDtype/],
      ['fovea.multiHeadAttention(x, cache, cache, { Wq: x, Wk: x, Wv: x }, { heads: 1 });', /not assignable/],
    );
  });

  test(`${name}: wrong calls to a worker are refused`, () => {
    refused(
      "import { connect, RemoteTensor } from 'fovea/worker';\nconst remote = await connect();",
      resolution,
      ['await remote.attention([[1]], [[1]], [[1]], { casual: true });', /'casual' does not exist/],
      ['remote.attention([[1]], [[1]], [[1]]).output;', /'output' does not exist on type 'Promise/],
      ['(await remote.tensor([1])).data;', /'data' does not exist on type 'RemoteTensor'/],
      ['const x: RemoteTensor = (await remote.attention([[1]], [[1]], [[1]])).output;', /not assignable|missing/],
    );
  });

  test(`${name}: wrong programs are refused`, () => {
    const inPattern = (code: string): string => `const { pattern } = await import('fovea/pattern'); ${code}`;
    refused(
      "import { load, Tensor } from 'fovea';\nconst fovea = await load();",
      resolution,
      ['fovea.attention([[1]], [[1]], [[1]], { casual: true });', /'casual' does not exist/],
      ['const x: Tensor = fovea.attention([[1]], [[1]], [[1]]).output;', /missing the following properties from type 'Tensor'/],
      ['fovea.multiHeadAttention([[1]], [[1]], [[1]], { Wq: [[1]], Wk: [[1]], Wv: [[1]] }, {});', /'heads' is missing/],
      ['fovea.combine([{ output: [[1]], lse: [1] }], { causal: true });', /'causal' does not exist/],
      ['new Tensor({} as never);', /private/],
      [inPattern('fovea.attention([[1]], [[1]], [[1]], { pattern: pattern.window(1) });'), /Expected 2 arguments/],
      [inPattern('pattern.random({ perquery: 1 });'), /'perquery' does not exist/],
      [inPattern('pattern.causal().bind(fovea, [[1]], [[1]]);'), /'bind' does not exist/],
      [
        inPattern('fovea.attention([[1]], [[1]], [[1]], { pattern: pattern.causal(), returnWeights: true }).weights?.data;'),
        /'data' does not exist on type 'SparseWeights'/,
      ],
      ['fovea.attention([[1]], [[1]], [[1]], { pattern: {} });', /required in type 'Carrier<"pattern">'/],
      ["fovea.attention([['1']], [[1]], [[1]]);", /not assignable/],
      ['fovea.attention(new BigInt64Array(1), [[1]], [[1]]);', /not assignable/],
    );
  });
}
