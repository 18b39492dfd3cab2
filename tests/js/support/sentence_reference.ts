/** Universal Sentence Encoder lite in double, by its definition: apart from the package and from TensorFlow.js, so that it can judge both. */

interface Matrix {
  readonly data: ArrayLike<number>;
  readonly shape: readonly number[];
}
interface Linear {
  /** [in, out] */
  readonly weight: Matrix;
  readonly bias: Matrix;
}
export interface SentenceWeights {
  readonly embedding: Matrix;
  readonly frequencies: ArrayLike<number>;
  readonly eps: number;
  readonly layers: readonly {
    readonly heads: number;
    readonly norm: Linear;
    readonly qkv: Linear;
    readonly out: Linear;
    readonly shortcut: Linear | null;
    readonly feedNorm: Linear;
    readonly up: Linear;
    readonly down: Linear;
  }[];
  readonly last: Linear;
}

type Rows = number[][];

/** The embedding, and the weights [H, T, T] of each layer. */
export function encodeSentence(model: SentenceWeights, ids: readonly number[]): { embedding: number[]; weights: number[][] } {
  const [, width] = model.embedding.shape as [number, number];
  const half = width / 2;
  const weights: number[][] = [];
  let x: Rows = ids.map((id, t) =>
    Array.from({ length: width }, (_, c) => {
      const angle = t * model.frequencies[c % half]!;
      return 2 * model.embedding.data[id * width + c]! + (c < half ? Math.sin(angle) : Math.cos(angle));
    }),
  );
  for (const layer of model.layers) {
    const joint = linear(norm(x, layer.norm, model.eps), layer.qkv);
    const attended = attend(joint, layer.heads);
    weights.push(attended.weights);
    const h = plus(layer.shortcut ? linear(x, layer.shortcut) : x, linear(attended.output, layer.out));
    const inner = linear(norm(h, layer.feedNorm, model.eps), layer.up).map((row) => row.map((v) => Math.max(0, v)));
    x = plus(h, linear(inner, layer.down));
  }
  const mean = x[0]!.map((_, c) => x.reduce((sum, row) => sum + row[c]!, 0) / x.length);
  const y = linear([mean], model.last)[0]!.map(Math.tanh);
  const length = Math.hypot(...y);
  return { embedding: y.map((v) => v / length), weights };
}

const plus = (a: Rows, b: Rows): Rows => a.map((row, t) => row.map((v, c) => v + b[t]![c]!));

function linear(x: Rows, { weight, bias }: Linear): Rows {
  const [rows, columns] = weight.shape as [number, number];
  return x.map((row) => {
    const y = Array.from({ length: columns }, (_, o) => bias.data[o]!);
    for (let i = 0; i < rows; ++i) for (let o = 0; o < columns; ++o) y[o]! += row[i]! * weight.data[i * columns + o]!;
    return y;
  });
}

function norm(x: Rows, { weight, bias }: Linear, eps: number): Rows {
  return x.map((row) => {
    const mean = row.reduce((sum, v) => sum + v, 0) / row.length;
    const variance = row.reduce((sum, v) => sum + (v - mean) ** 2, 0) / row.length;
    return row.map((v, c) => ((v - mean) / Math.sqrt(variance + eps)) * weight.data[c]! + bias.data[c]!);
  });
}

function attend(joint: Rows, heads: number): { output: Rows; weights: number[] } {
  const width = joint[0]!.length / 3;
  const headDim = width / heads;
  const output: Rows = joint.map(() => Array<number>(width).fill(0));
  const weights: number[] = [];
  for (let h = 0; h < heads; ++h)
    joint.forEach((query, i) => {
      const scores = joint.map((key) => {
        let dot = 0;
        for (let d = h * headDim; d < (h + 1) * headDim; ++d) dot += query[d]! * key[width + d]!;
        return dot / Math.sqrt(headDim);
      });
      const most = Math.max(...scores);
      const parts = scores.map((score) => Math.exp(score - most));
      const total = parts.reduce((sum, v) => sum + v, 0);
      parts.forEach((part, j) => {
        weights.push(part / total);
        for (let d = h * headDim; d < (h + 1) * headDim; ++d) output[i]![d]! += (part / total) * joint[j]![2 * width + d]!;
      });
    });
  return { output, weights };
}
