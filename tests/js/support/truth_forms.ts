/**
 * The ways in which one attention problem can be put to the public API. Each form answers in the same order, output
 * [B, H, Tq, Dv], weights [B, H, Tq, Tk], lse [B, H, Tq], so that the answers can be compared bit for bit.
 */
import { broadcastStrides } from './truth_reference.ts';
import { sizeOf } from './truth_random.ts';
import type { loadForTests } from './truth_instance.ts';
import type { DenseOptions } from './dense_options.ts';

export type Fovea = Awaited<ReturnType<typeof loadForTests>>;

export interface Plain {
  readonly data: Float32Array;
  readonly shape: number[];
}

export interface Mask {
  readonly data: Uint8Array | Float32Array;
  readonly shape: number[];
}

/** q [B, H, Tq, D], k [B, Hkv, Tk, D], v [B, Hkv, Tk, Dv]; the mask is apart from the options because forms widen it. */
export interface Problem {
  readonly q: Plain;
  readonly k: Plain;
  readonly v: Plain;
  readonly mask?: Mask | undefined;
  readonly options: Omit<DenseOptions, 'mask' | 'layout' | 'heads' | 'kvHeads' | 'out' | 'trace'>;
}

export interface Answer {
  readonly output: Float32Array;
  readonly weights: Float32Array | undefined;
  readonly lse: Float32Array | undefined;
}

export interface Full {
  readonly output: Float32Array;
  readonly weights: Float32Array;
  readonly lse: Float32Array;
}

/** The plain call with weights and lse. */
export function attend(fovea: Fovea, { q, k, v, mask, options }: Problem, more: DenseOptions = {}): Full {
  const { output, weights, lse } = fovea.attention(q, k, v, {
    ...options,
    mask,
    ...more,
    returnWeights: true,
    returnLse: true,
  });
  if (weights === undefined || lse === undefined) throw new Error('weights and lse were asked for');
  return { output: output.data, weights: weights.data, lse: lse.data };
}

export interface Form {
  readonly title: string;
  run(fovea: Fovea, problem: Problem): Answer;
}

interface Results {
  readonly output: { readonly data: Float32Array; readonly shape: readonly number[] };
  readonly weights?: { readonly data: Float32Array };
  readonly lse?: { readonly data: Float32Array };
}

function answer(results: Results, output = results.output.data): Answer {
  return { output, weights: results.weights?.data, lse: results.lse?.data };
}

/** [a, b, c, d] -> [a, c, b, d]. */
export function swapMiddle({ data, shape }: Plain): Plain {
  const [a, b, c, d] = shape as [number, number, number, number];
  const swapped = new Float32Array(data.length);
  for (let i = 0; i < a; i++) {
    for (let j = 0; j < b; j++) {
      for (let k = 0; k < c; k++) {
        const from = ((i * b + j) * c + k) * d;
        swapped.set(data.subarray(from, from + d), ((i * c + k) * b + j) * d);
      }
    }
  }
  return { data: swapped, shape: [a, c, b, d] };
}

/** [B, H, T, D] -> [B, T, H·D]. */
export function pack(x: Plain): Plain {
  const { data, shape } = swapMiddle(x);
  const [B, T, H, D] = shape as [number, number, number, number];
  return { data, shape: [B, T, H * D] };
}

/** Heads first again: the data of an output in 'bthd' order, or packed. */
function headsFirst(output: Plain | Results['output'], problem: Problem): Float32Array {
  const [B, H, Tq] = problem.q.shape as [number, number, number, number];
  return swapMiddle({ data: output.data, shape: [B, Tq, H, problem.v.shape[3] as number] }).data;
}

function twice<T extends Float32Array | Uint8Array>({
  data,
  shape,
}: {
  data: T;
  shape: number[];
}): { data: T; shape: number[] } {
  const doubled = data instanceof Uint8Array ? new Uint8Array(2 * data.length) : new Float32Array(2 * data.length);
  doubled.set(data);
  doubled.set(data, data.length);
  return { data: doubled as T, shape: [2 * (shape[0] as number), ...shape.slice(1)] };
}

/** The mask written out to [B, H, Tq, keys]; beyond its own keys it holds `beyond`. */
function widenMask(mask: Mask, [B, H, Tq, Tk]: readonly [number, number, number, number], keys: number, beyond: number): Mask {
  const strides = broadcastStrides(mask.shape, [B, H, Tq, Tk]);
  const shape = [B, H, Tq, keys];
  const data = mask.data instanceof Uint8Array ? new Uint8Array(sizeOf(shape)) : new Float32Array(sizeOf(shape));
  let n = 0;
  for (let b = 0; b < B; b++) {
    for (let h = 0; h < H; h++) {
      for (let i = 0; i < Tq; i++) {
        for (let j = 0; j < keys; j++) {
          data[n++] =
            j < Tk ? (mask.data[b * strides[0] + h * strides[1] + i * strides[2] + j * strides[3]] as number) : beyond;
        }
      }
    }
  }
  return { data, shape };
}

export const plainForm: Form = {
  title: 'plain arrays',
  run(fovea, { q, k, v, mask, options }) {
    return answer(fovea.attention(q, k, v, { ...options, mask }));
  },
};

const leadingAxesDropped: Form = {
  title: 'leading axes of one element left out',
  run(fovea, { q, k, v, mask, options }) {
    const drop = q.shape[0] !== 1 || k.shape[0] !== 1 ? 0 : q.shape[1] === 1 && k.shape[1] === 1 ? 2 : 1;
    const less = (x: Plain): Plain => ({ data: x.data, shape: x.shape.slice(drop) });
    return answer(fovea.attention(less(q), less(k), less(v), { ...options, mask }));
  },
};

const tokensBeforeHeads: Form = {
  title: "layout 'bthd'",
  run(fovea, problem) {
    const { q, k, v, mask, options } = problem;
    const results = fovea.attention(swapMiddle(q), swapMiddle(k), swapMiddle(v), { ...options, mask, layout: 'bthd' });
    return answer(results, headsFirst(results.output, problem));
  },
};

const packedHeads: Form = {
  title: 'heads packed in the width',
  run(fovea, problem) {
    const { q, k, v, mask, options } = problem;
    const heads = q.shape[1] as number;
    const kvHeads = k.shape[1] as number;
    const results = fovea.attention(pack(q), pack(k), pack(v), {
      ...options,
      mask,
      heads,
      kvHeads: kvHeads === heads ? undefined : kvHeads,
    });
    return answer(results, headsFirst(results.output, problem));
  },
};

const tensors: Form = {
  title: 'Tensors',
  run(fovea, { q, k, v, mask, options }) {
    return fovea.scope(() => {
      const floatMask =
        mask !== undefined && mask.data instanceof Float32Array ? fovea.tensor({ data: mask.data, shape: mask.shape }) : mask;
      const results = fovea.attention(fovea.tensor(q), fovea.tensor(k), fovea.tensor(v), { ...options, mask: floatMask });
      return {
        output: copyOf(results.output),
        weights: results.weights && copyOf(results.weights),
        lse: results.lse && copyOf(results.lse),
      };
    });
  },
};

const twiceEach = (list: ArrayLike<number | bigint>): number[] => [...Array.from(list, Number), ...Array.from(list, Number)];

const batchDoubled: Form = {
  title: 'every sequence twice in the batch',
  run(fovea, { q, k, v, mask, options }) {
    const B = q.shape[0] as number;
    const results = fovea.attention(twice(q), twice(k), twice(v), {
      ...options,
      mask: mask === undefined || mask.shape.length < 4 || mask.shape[0] === 1 ? mask : twice<Float32Array | Uint8Array>(mask),
      keyLengths: options.keyLengths && twiceEach(options.keyLengths),
      causalOffset:
        options.causalOffset === undefined || typeof options.causalOffset === 'number'
          ? options.causalOffset
          : twiceEach(options.causalOffset),
    });
    const [first, second] = [0, 1].map((half) =>
      answer({
        output: { data: halfOf(results.output.data, half), shape: [] },
        ...(results.weights && { weights: { data: halfOf(results.weights.data, half) } }),
        ...(results.lse && { lse: { data: halfOf(results.lse.data, half) } }),
      }),
    ) as [Answer, Answer];
    for (const name of ['output', 'weights', 'lse'] as const) {
      if (first[name] === undefined) continue;
      const at = first[name].findIndex((x, n) => !Object.is(x, second[name]?.[n]));
      if (at !== -1) throw new Error(`batch entry ${Math.floor(at / (first[name].length / B))} and its copy differ in ${name}`);
    }
    return first;
  },
};

/** Keys and values followed by rows of NaN that keyLengths excludes: enough of them to fill a tile of keys and more. */
export function paddedByNaN(rows: number): Form {
  return {
    title: `${rows} rows of NaN after the keys, left out by keyLengths`,
    run(fovea, { q, k, v, mask, options }) {
      const [B, H, Tq] = q.shape as [number, number, number, number];
      const Tk = k.shape[2] as number;
      const results = fovea.attention(q, lengthen(k, rows), lengthen(v, rows), {
        ...options,
        // The keys beyond are allowed by the mask: keyLengths alone excludes them.
        mask: mask && widenMask(mask, [B, H, Tq, Tk], Tk + rows, mask.data instanceof Uint8Array ? 1 : 0),
        keyLengths: options.keyLengths ?? new Array<number>(B).fill(Tk),
      });
      const weights = results.weights && dropKeys(results.weights.data, Tk, rows);
      return { output: results.output.data, weights, lse: results.lse?.data };
    },
  };
}

function lengthen({ data, shape }: Plain, rows: number): Plain {
  const [B, H, T, D] = shape as [number, number, number, number];
  const longer = new Float32Array(B * H * (T + rows) * D).fill(NaN);
  for (let n = 0; n < B * H; n++) longer.set(data.subarray(n * T * D, (n + 1) * T * D), n * (T + rows) * D);
  return { data: longer, shape: [B, H, T + rows, D] };
}

/** The weights of the first Tk keys; those of the others must be 0. */
function dropKeys(weights: Float32Array, Tk: number, rows: number): Float32Array {
  const keys = Tk + rows;
  const stray = weights.findIndex((w, n) => n % keys >= Tk && w !== 0);
  if (stray !== -1) throw new Error(`key ${stray % keys} is beyond its sequence and has weight ${weights[stray]}`);
  return weights.filter((_, n) => n % keys < Tk);
}

function halfOf(data: Float32Array, half: number): Float32Array {
  return data.slice((half * data.length) / 2, ((half + 1) * data.length) / 2);
}

/** The caller's own copy of a Tensor's numbers. */
function copyOf(tensor: { readonly data: Float32Array }): Float32Array {
  return Float32Array.from(tensor.data);
}

export const otherForms: readonly Form[] = [
  leadingAxesDropped,
  tokensBeforeHeads,
  packedHeads,
  tensors,
  batchDoubled,
  paddedByNaN(1),
  paddedByNaN(70),
];
