/** The wasm module as JavaScript sees it. */

/** Operations that the builds of fovea/train have besides: `matmulBackward` is the gradient of `matmul`. */
export type TrainOperation =
  | 'crossEntropy'
  | 'meanSquaredError'
  | 'squaredNorm'
  | 'scale'
  | 'sgd'
  | 'adam'
  | `${'activation' | 'addRows' | 'arithmetic' | 'attention' | 'blend' | 'conv1d' | 'copyStrided' | 'crossEntropy' | 'cumulativeSum' | 'elementary' | 'gate'}Backward`
  | `${'linearAttention' | 'linearLayer' | 'matmul' | 'meanSquaredError' | 'pooling' | 'recurrent' | 'rotary' | 'rowNorm' | 'softmax' | 'tableRows' | 'takeRows' | 'unitRows' | 'unpackWeights'}Backward`;

/** The exports of bindings/wasm/module.cpp through Embind, and the memory that the glue adds. */
export interface CoreModule extends Partial<Record<TrainOperation, (block: number) => number>> {
  readonly wasmMemory: WebAssembly.Memory;
  /** The address of `bytes` new bytes (16-byte aligned), or 0 where memory is refused. */
  allocate(bytes: number): number;
  release(address: number): void;
  /** Each takes the address of its block and returns a status: an index into statusName. */
  attention(block: number): number;
  attentionLogits(block: number): number;
  combine(block: number): number;
  matmul(block: number): number;
  packWeights(block: number): number;
  unpackWeights(block: number): number;
  softmax(block: number): number;
  compilePattern(block: number): number;
  patternPairs(block: number): number;
  lshBuckets(block: number): number;
  linearAttention(block: number): number;
  unitRows(block: number): number;
  favorProjection(block: number): number;
  featureRows(block: number): number;
  parameterNormals(block: number): number;
  selectionSamples(block: number): number;
  multiDimensionalAttention(block: number): number;
  appendRows(block: number): number;
  activation(block: number): number;
  gate(block: number): number;
  arithmetic(block: number): number;
  argmax(block: number): number;
  blend(block: number): number;
  copyStrided(block: number): number;
  cumulativeSum(block: number): number;
  elementary(block: number): number;
  takeRows(block: number): number;
  addRows(block: number): number;
  rowNorm(block: number): number;
  pooling(block: number): number;
  conv1d(block: number): number;
  linearLayer(block: number): number;
  list(block: number): number;
  recurrent(block: number): number;
  sinusoidal(block: number): number;
  tableRows(block: number): number;
  rotary(block: number): number;
  /** How many units of work a call with plans has, and how many floats its `state`: each takes the block of the call. */
  unitCount(block: number): number;
  stateFloats(block: number): number;
  /** Starts threads until so many work, the caller counted; returns how many work. */
  startThreads(threads: number): number;
  stopThreads(): void;
  /** The address of the status's name: see core_text.ts. */
  statusName(status: number): number;
  /** The size of the workspace that was refused by the last call that returned 'memory': a double, as it passes 2^32. */
  refusedBytes(): number;
  /** The hash of the parameter blocks; see bindings/abi.mjs. */
  abiHash(): number;
  /** The addresses of the version and of the build, one of the names of `Variant`. */
  version(): number;
  variant(): number;
}
