/** An instance whose module computes nothing, and refuses, traps or answers as a test wants. */
import type { CoreModule } from '../../../bindings/js/runtime/core_module.ts';
import { createFovea, type Fovea } from '../../../bindings/js/fovea/fovea.ts';
import { Instance } from '../../../bindings/js/runtime/instance.ts';

export const STATUSES = ['ok', 'shape', 'value', 'option', 'disposed', 'memory', 'load', 'internal'];

/** Where the module's texts lie, below what `allocate` gives. */
const NAME = 16;

export function fakeFovea(change: Partial<CoreModule>, end = (): void => {}): Fovea {
  let top = 1024;
  const wasmMemory = new WebAssembly.Memory({ initial: 4 });
  const place = (text: string): number => {
    new Uint8Array(wasmMemory.buffer).set(new TextEncoder().encode(`${text}\0`), NAME);
    return NAME;
  };
  const core: CoreModule = {
    wasmMemory,
    allocate: (bytes) => (top += bytes) - bytes,
    release: () => {},
    attention: () => 0,
    attentionLogits: () => 0,
    combine: () => 0,
    matmul: () => 0,
    packWeights: () => 0,
    unpackWeights: () => 0,
    softmax: () => 0,
    compilePattern: () => 0,
    patternPairs: () => 0,
    lshBuckets: () => 0,
    linearAttention: () => 0,
    favorProjection: () => 0,
    featureRows: () => 0,
    parameterNormals: () => 0,
    selectionSamples: () => 0,
    unitRows: () => 0,
    activation: () => 0,
    gate: () => 0,
    arithmetic: () => 0,
    argmax: () => 0,
    blend: () => 0,
    copyStrided: () => 0,
    cumulativeSum: () => 0,
    elementary: () => 0,
    takeRows: () => 0,
    addRows: () => 0,
    rowNorm: () => 0,
    pooling: () => 0,
    conv1d: () => 0,
    linearLayer: () => 0,
    list: () => 0,
    recurrent: () => 0,
    sinusoidal: () => 0,
    tableRows: () => 0,
    rotary: () => 0,
    multiDimensionalAttention: () => 0,
    appendRows: () => 0,
    unitCount: () => 0,
    stateFloats: () => 0,
    statusName: (status) => place(STATUSES[status]!),
    refusedBytes: () => 0,
    startThreads: () => 1,
    stopThreads: () => {},
    abiHash: () => 0,
    version: () => place(''),
    variant: () => place('simd128'),
    ...change,
  };
  const info = { version: '', variant: 'simd128', threads: 1, fallbackReason: null } as const;
  return createFovea(new Instance(core, info, { maximumBytes: 2 ** 32, end }));
}
