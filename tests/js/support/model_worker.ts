/** A module of a user's own that serves: what a model in a worker does, and what may go wrong there. */
import type { ArrayInput, Fovea, NDArray, Tensor } from 'fovea';
import { Linear } from 'fovea/nn';
import { linear, softmax } from 'fovea/ops';
import { pattern, type Pattern } from 'fovea/pattern';
import { serve, type ServedCall } from 'fovea/serve';
import { meanSquaredError, sgd, Trainer, type StepResult } from 'fovea/train';

interface Progress {
  readonly done: number;
  readonly total: number;
}

let layer: Linear | null = null;
let calls = 0;
let late: ServedCall | null = null;
const table = Float32Array.of(1, 2, 3);

export const functions = {
  /** Entries of the package with the worker's instance, a layer that lives there. */
  embed(fovea: Fovea, x: ArrayInput): NDArray {
    layer ??= new Linear(fovea, { inFeatures: 4, outFeatures: 2, seed: 1 });
    return softmax(fovea, layer.forward(x) as NDArray);
  },
  attend(fovea: Fovea, { x, mask }: { x: Tensor; mask: Pattern }): { readonly list: readonly [Tensor]; readonly x: Tensor } {
    return { list: [fovea.attention(x, x, x, { pattern: mask }).output], x };
  },
  echo: (_: Fovea, value: unknown): unknown => value,
  count: (): number => ++calls,
  table: (): Float32Array => table,
  view: (fovea: Fovea): NDArray['data'] => {
    const x = fovea.tensor([1, 2]);
    const view = new Float32Array(x.data.buffer, x.data.byteOffset, 2);
    x.dispose();
    return view;
  },
  make: (fovea: Fovea, n: number): Tensor[] => Array.from({ length: n }, (_, i) => fovea.tensor([i])),
  info: (fovea: Fovea) => fovea.info,
  /** Posts after every step, and looks for an abort. */
  async steps(fovea: Fovea, total: number, { signal, post }: ServedCall<Progress>): Promise<string> {
    for (let done = 1; done <= total; done++) {
      fovea.attention([[1]], [[1]], [[1]]);
      await post({ done, total });
      if (signal.aborted) return `stopped at ${done}`;
    }
    return 'done';
  },
  /** Does not look for one. */
  deaf: (fovea: Fovea, milliseconds: number): Tensor => {
    for (const end = Date.now() + milliseconds; Date.now() < end;);
    return fovea.tensor([7]);
  },
  async waits(_: Fovea, milliseconds: number, { signal }: ServedCall): Promise<unknown> {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return signal.aborted;
  },
  async postsTensor(fovea: Fovea, _: undefined, { post }: ServedCall<{ x: Tensor }>): Promise<void> {
    await post({ x: fovea.tensor([1, 2, 3]) });
  },
  posts: (_: Fovea, what: 'function' | 'number', { post }: ServedCall): unknown => post(what === 'function' ? () => 1 : 1),
  keepsPost(_: Fovea, __: undefined, call: ServedCall): void {
    late = call;
  },
  postsLate: (): Promise<void> => late!.post('too late'),
  /** Learns y = 2x from one weight, and tells every step. */
  async train(fovea: Fovea, steps: number, { signal, post }: ServedCall<StepResult>): Promise<number> {
    const weight = fovea.tensor([[0]]);
    const trainer = new Trainer(
      { weight },
      {
        loss: (x: number) => meanSquaredError(fovea, linear(fovea, [[x]], weight), [[2 * x]]),
        optimizer: sgd({ learningRate: 0.1 }),
      },
    );
    try {
      await trainer.run({ steps, batch: () => 1, signal, sliceTime: 0, onStep: (result) => void post(result) });
      return weight.data[0]!;
    } finally {
      trainer.dispose();
      weight.dispose();
    }
  },
  throws(fovea: Fovea, kind: 'own' | 'fovea' | 'text'): void {
    if (kind === 'own') throw new RangeError('mine', { cause: 'why' });
    if (kind === 'text') throw 'only text';
    fovea.attention([[1]], [[1, 2]], [[1]]);
  },
  unsendable(fovea: Fovea, kind: 'function' | 'instance' | 'pattern' | 'map' | 'late'): unknown {
    const tensor = fovea.tensor([1]);
    if (kind === 'function') return [tensor, { inner: () => 1 }];
    if (kind === 'instance') return [tensor, fovea];
    if (kind === 'pattern') return [tensor, pattern.causal()];
    if (kind === 'map') return new Map([['x', tensor]]);
    return [tensor, { inner: Object.assign(new Date(0), { tensor }) }];
  },
  toString: (): string => 'of the worker',
};

serve({ functions });
