/** The wasm module as JavaScript sees it. */
import type { PositionCore } from './position/abi.ts';
import type { RecurrentCore } from './recurrent/abi.ts';

/** What bindings/wasm/module.cpp exports through Embind, with the memory that the glue adds. */
export interface CoreModule extends PositionCore, RecurrentCore {
  readonly wasmMemory: WebAssembly.Memory;
  /** The address of `bytes` new bytes (16-byte aligned), or 0 where memory is refused. */
  allocate(bytes: number): number;
  release(address: number): void;
  /** Each takes the address of its block and returns a status: an index into statusName. */
  attention(block: number): number;
  attentionLogits(block: number): number;
  combine(block: number): number;
  matmul(block: number): number;
  softmax(block: number): number;
  compilePattern(block: number): number;
  patternPairs(block: number): number;
  lshBuckets(block: number): number;
  linearAttention(block: number): number;
  favorProjection(block: number): number;
  featureRows(block: number): number;
  parameterNormals(block: number): number;
  logarithm(block: number): number;
  multiDimensionalAttention(block: number): number;
  appendRows(block: number): number;
  activation(block: number): number;
  gate(block: number): number;
  add(block: number): number;
  rowNorm(block: number): number;
  pooling(block: number): number;
  conv1d(block: number): number;
  linearLayer(block: number): number;
  /** How many units of work a call with plans has, and how many floats its `state`: each takes the block of the call. */
  unitCount(block: number): number;
  stateFloats(block: number): number;
  /** Starts threads until so many work, the caller counted; returns how many work. */
  startThreads(threads: number): number;
  stopThreads(): void;
  statusName(status: number): string;
  /** The size of the workspace that was refused by the last call that returned 'memory'. */
  refusedBytes(): number;
  abiHash(): number;
  /** Of the blocks that only fovea/linear writes. */
  linearAbiHash(): number;
  /** Of those that only fovea/cache writes. */
  cacheAbiHash(): number;
  /** Of those that only fovea/score writes. */
  scoreAbiHash(): number;
  /** Of the blocks that only fovea/ops writes. */
  opsAbiHash(): number;
  version(): string;
  /** The build: one of the names of `Variant`. */
  variant(): string;
}
