/**
 * Parts that the families of models share, by their equations, in double or in plain float32 loops. Rows are the tokens of one text.
 *   layerNorm(x) = w ⊙ (x - mean x) / √(var x + eps) + b
 *   rmsNorm(x)   = (w + offset) ⊙ x / √(mean x² + eps)
 *   rope         : of the first R numbers of a head the pair (i, i + R/2), interleaved (2i, 2i + 1), is rotated by position · frequency[i]
 *   attention[i] = Σ_j softmax_j(cap · tanh(scale · q[i]·k[j] / cap) + bias(h, i, j)) v[j] over the allowed j; query head h reads head ⌊h·KH/H⌋
 */
import type { Arithmetic, Values } from '../../support/transformer_reference.ts';

export type Row = Float64Array<ArrayBuffer>;
export type Rows = readonly Row[];
/** [H][T], each a head of a token. */
export type Heads = readonly Rows[];

/** The keys of config.json; each family has its own. */
export interface Config {
  readonly model_type: string;
  readonly [key: string]: unknown;
}

export const numberOf = (config: Config, key: string): number => config[key] as number;

export interface AttentionRules {
  readonly scale: number;
  readonly cap?: number | undefined;
  readonly allowed?: ((i: number, j: number) => boolean) | undefined;
  readonly bias?: ((h: number, i: number, j: number) => number) | undefined;
}

export interface Attended {
  /** The heads of a token side by side. */
  readonly rows: Rows;
  /** [H, T, T]. */
  readonly weights: Row;
}

const ACTIVATIONS: Readonly<Record<string, (x: number) => number>> = {
  gelu: (x) => (x / 2) * (1 + erf(x / Math.SQRT2)),
  gelu_new: geluTanh,
  gelu_pytorch_tanh: geluTanh,
  relu: (x) => Math.max(x, 0),
  silu: (x) => x / (1 + Math.exp(-x)),
  tanh: Math.tanh,
};

export class ModelParts {
  readonly #weights: ReadonlyMap<string, Values>;
  readonly #arithmetic: Arithmetic;
  /** How a cache keeps a number of a key or a value. */
  readonly #kept: (x: number) => number;

  constructor(weights: ReadonlyMap<string, Values>, arithmetic: Arithmetic, kept: (x: number) => number = (x) => x) {
    this.#weights = weights;
    this.#arithmetic = arithmetic;
    this.#kept = kept;
  }

  has(name: string): boolean {
    return this.#weights.has(name);
  }

  values(name: string): Values {
    const values = this.#weights.get(name);
    if (values === undefined) throw new Error(`the reference lacks ${name}`);
    return values;
  }

  /** Row n of a table. */
  row(name: string, n: number): Row {
    const { data, shape } = this.values(name);
    const width = shape[1]!;
    return Float64Array.from({ length: width }, (_, i) => data[n * width + i]!);
  }

  sum(a: Rows, b: Rows): Rows {
    const { round } = this.#arithmetic;
    return a.map((row, t) => row.map((x, i) => round(x + b[t]![i]!)));
  }

  product(a: Rows, b: Rows): Rows {
    const { round } = this.#arithmetic;
    return a.map((row, t) => row.map((x, i) => round(x * b[t]![i]!)));
  }

  each(x: Rows, change: (value: number) => number): Rows {
    const { round } = this.#arithmetic;
    return x.map((row) => row.map((value) => round(change(value))));
  }

  activate(x: Rows, name: string): Rows {
    return this.each(x, ACTIVATIONS[name]!);
  }

  /** W x + b, b where the weights have one; W is [out, in], `inOut` the other way round. */
  linear(x: Rows, name: string, { inOut = false } = {}): Rows {
    const { data, shape } = this.values(`${name}.weight`);
    const bias = this.#weights.get(`${name}.bias`)?.data;
    const { dot, round } = this.#arithmetic;
    const outer = shape[inOut ? 1 : 0]!;
    return x.map((row) =>
      Float64Array.from({ length: outer }, (_, o) => {
        const sum = inOut ? dot(0, row, 0, data, o, outer, row.length) : dot(0, row, 0, data, o * row.length, 1, row.length);
        return round(sum + (bias?.[o] ?? 0));
      }),
    );
  }

  layerNorm(x: Rows, name: string, eps: number): Rows {
    const { round } = this.#arithmetic;
    const weight = this.values(`${name}.weight`).data;
    const bias = this.#weights.get(`${name}.bias`)?.data;
    return x.map((row) => {
      const mean = round(row.reduce((sum, value) => round(sum + value), 0) / row.length);
      const factor = this.#inverseRoot(
        row.map((value) => round(value - mean)),
        eps,
      );
      return row.map((value, i) => round(round(round(round(value - mean) * factor) * weight[i]!) + (bias?.[i] ?? 0)));
    });
  }

  rmsNorm(x: Rows, name: string, eps: number, offset = 0): Rows {
    const { round } = this.#arithmetic;
    const weight = this.values(`${name}.weight`).data;
    return x.map((row) => {
      const factor = this.#inverseRoot(row, eps);
      return row.map((value, i) => round(round(value * factor) * round(weight[i]! + offset)));
    });
  }

  /** 1 / √(mean x² + eps) */
  #inverseRoot(row: Row, eps: number): number {
    const { round } = this.#arithmetic;
    const mean = round(row.reduce((sum, value) => round(sum + round(value * value)), 0) / row.length);
    return round(1 / Math.sqrt(round(mean + eps)));
  }

  rotate(heads: Heads, frequencies: readonly number[], interleaved = false): Heads {
    const { round } = this.#arithmetic;
    return heads.map((rows) =>
      rows.map((row, position) => {
        const rotated = row.slice();
        frequencies.forEach((frequency, i) => {
          const [a, b] = interleaved ? [2 * i, 2 * i + 1] : [i, i + frequencies.length];
          const [cos, sin] = [round(Math.cos(position * frequency)), round(Math.sin(position * frequency))];
          rotated[a] = round(round(row[a]! * cos) - round(row[b]! * sin));
          rotated[b] = round(round(row[a]! * sin) + round(row[b]! * cos));
        });
        return rotated;
      }),
    );
  }

  attention(q: Heads, keys: Heads, values: Heads, { scale, cap, allowed = () => true, bias }: AttentionRules): Attended {
    const { dot, round } = this.#arithmetic;
    const [tokens, width] = [q[0]!.length, q[0]![0]!.length];
    const keep = (heads: Heads): Heads => heads.map((rows) => rows.map((row) => row.map(this.#kept)));
    const [k, v] = [keep(keys), keep(values)];
    const rows = Array.from({ length: tokens }, () => new Float64Array(q.length * width));
    const weights = new Float64Array(q.length * tokens * tokens);
    q.forEach((queries, h) => {
      const from = Math.floor((h * k.length) / q.length);
      queries.forEach((query, i) => {
        const scores = k[from]!.map((key, j) => {
          if (!allowed(i, j)) return -Infinity;
          const score = round(dot(0, query, 0, key, 0, 1, width) * round(scale));
          const capped = cap === undefined ? score : round(cap * round(Math.tanh(round(score / cap))));
          return round(capped + (bias === undefined ? 0 : round(bias(h, i, j))));
        });
        const top = Math.max(...scores);
        const powers = scores.map((score) => round(Math.exp(round(score - top))));
        const total = powers.reduce((sum, power) => round(sum + power), 0);
        const own = powers.map((power) => round(power / total));
        weights.set(own, (h * tokens + i) * tokens);
        for (let d = 0; d < width; d++) {
          const column = v[from]!.map((value) => value[d]!);
          rows[i]![h * width + d] = dot(0, own, 0, column, 0, 1, tokens);
        }
      });
    });
    return { rows, weights };
  }
}

/** Numbers `from` to `to` of each row. */
export const columns = (x: Rows, from: number, to: number): Rows => x.map((row) => row.slice(from, to));

/** The heads of each row, which lie side by side. */
export function headsOf(x: Rows, count: number): Heads {
  const width = x[0]!.length / count;
  return Array.from({ length: count }, (_, h) => columns(x, h * width, (h + 1) * width));
}

/** The frequencies of rotary positions for the first `width` numbers of a head: base^(-2i/width). */
export function frequenciesOf(base: number, width: number): number[] {
  return Array.from({ length: width / 2 }, (_, i) => base ** ((-2 * i) / width));
}

function geluTanh(x: number): number {
  return (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
}

/** erf by its series 2/√π Σ (-1)^n x^(2n+1) / (n! (2n+1)), beyond 3 by the continued fraction of erfc, both to the last digits of double. */
export function erf(x: number): number {
  const size = Math.abs(x);
  if (size > 3) {
    let fraction = 0;
    for (let n = 60; n > 0; n--) fraction = n / 2 / (size + fraction);
    return Math.sign(x) * (1 - Math.exp(-size * size) / (Math.sqrt(Math.PI) * (size + fraction)));
  }
  let term = x;
  let sum = x;
  for (let n = 1; n < 80; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}
