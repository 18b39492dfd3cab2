/**
 * Transformer layers by their equations, as PyTorch's documentation states them, in double or in plain float32 loops:
 *   attention(x, m) = concat over heads of softmax(q kᵀ/√D + bias) v, projected; q = x Wqᵀ + bq, k = m Wkᵀ + bk, v = m Wvᵀ + bv
 *   feedForward(x)  = activation(x W1ᵀ + b1) W2ᵀ + b2
 *   post-norm: x = norm(x + sublayer(x));   pre-norm: x = x + sublayer(norm(x))
 * A row without an allowed key attends to nothing: its heads are 0 there.
 */
export interface Values {
  readonly data: ArrayLike<number>;
  readonly shape: readonly number[];
}
export type Weights = ReadonlyMap<string, Values>;

export interface Settings {
  readonly nHead: number;
  readonly activation: 'relu' | 'gelu' | 'geluTanh';
  readonly normFirst: boolean;
  readonly layerNormEps: number;
}

/** The term added to a logit: -Infinity forbids. */
export type Added = (b: number, h: number, i: number, j: number) => number;

export interface Arithmetic {
  readonly round: (x: number) => number;
  /** start + Σ a[i] b[i·step]. */
  readonly dot: (
    start: number,
    a: ArrayLike<number>,
    aAt: number,
    b: ArrayLike<number>,
    bAt: number,
    step: number,
    n: number,
  ) => number;
}

export const DOUBLE: Arithmetic = {
  round: (x) => x,
  dot(start, a, aAt, b, bAt, step, n) {
    let sum = start;
    for (let i = 0; i < n; i++) sum += (a[aAt + i] as number) * (b[bAt + i * step] as number);
    return sum;
  },
};

export const SINGLE: Arithmetic = {
  round: Math.fround,
  dot(start, a, aAt, b, bAt, step, n) {
    let sum = start;
    for (let i = 0; i < n; i++) sum = Math.fround(sum + Math.fround((a[aAt + i] as number) * (b[bAt + i * step] as number)));
    return sum;
  },
};

/** Sums in single precision, from the last term to the first. */
export const SINGLE_DOWN: Arithmetic = {
  round: Math.fround,
  dot(start, a, aAt, b, bAt, step, n) {
    let sum = start;
    for (let i = n - 1; i >= 0; i--)
      sum = Math.fround(sum + Math.fround((a[aAt + i] as number) * (b[bAt + i * step] as number)));
    return sum;
  },
};

interface Rows {
  readonly data: Float64Array;
  readonly batch: number;
  readonly tokens: number;
  readonly width: number;
}

export function rowsOf({ data, shape }: Values): Rows {
  const [batch, tokens, width] = (shape.length === 2 ? [1, ...shape] : shape) as [number, number, number];
  return { data: Float64Array.from(data), batch, tokens, width };
}

export class TransformerReference {
  readonly #weights: Weights;
  readonly #settings: Settings;
  readonly #arithmetic: Arithmetic;

  constructor(weights: Weights, settings: Settings, arithmetic: Arithmetic) {
    this.#weights = weights;
    this.#settings = settings;
    this.#arithmetic = arithmetic;
  }

  encoderLayer(prefix: string, x: Rows, added: Added): Rows {
    const h = this.#sublayer(x, `${prefix}norm1`, (input) => this.#attention(`${prefix}self_attn`, input, input, added));
    return this.#sublayer(h, `${prefix}norm2`, (input) => this.#feedForward(prefix, input));
  }

  decoderLayer(prefix: string, x: Rows, memory: Rows, own: Added, ofMemory: Added): Rows {
    const a = this.#sublayer(x, `${prefix}norm1`, (input) => this.#attention(`${prefix}self_attn`, input, input, own));
    const b = this.#sublayer(a, `${prefix}norm2`, (input) =>
      this.#attention(`${prefix}multihead_attn`, input, memory, ofMemory),
    );
    return this.#sublayer(b, `${prefix}norm3`, (input) => this.#feedForward(prefix, input));
  }

  norm(name: string, x: Rows): Rows {
    const { round } = this.#arithmetic;
    const [weight, bias] = [this.#need(`${name}.weight`), this.#weights.get(`${name}.bias`)?.data];
    const data = new Float64Array(x.data.length);
    for (let at = 0; at < data.length; at += x.width) {
      const row = x.data.subarray(at, at + x.width);
      const mean = round(row.reduce((sum, value) => round(sum + value), 0) / x.width);
      const variance = round(row.reduce((sum, value) => round(sum + round(round(value - mean) ** 2)), 0) / x.width);
      const factor = round(1 / Math.sqrt(round(variance + this.#settings.layerNormEps)));
      row.forEach((value, n) => {
        const scaled = round(round(round(value - mean) * factor) * (weight[n] as number));
        data[at + n] = round(scaled + ((bias?.[n] as number | undefined) ?? 0));
      });
    }
    return { ...x, data };
  }

  #sublayer(x: Rows, norm: string, run: (input: Rows) => Rows): Rows {
    const { round } = this.#arithmetic;
    const sum = (y: Rows): Rows => ({ ...x, data: x.data.map((value, n) => round(value + (y.data[n] as number))) });
    return this.#settings.normFirst ? sum(run(this.norm(norm, x))) : this.norm(norm, sum(run(x)));
  }

  #feedForward(prefix: string, x: Rows): Rows {
    const { round } = this.#arithmetic;
    const hidden = this.#linear(`${prefix}linear1`, x);
    const activated = hidden.data.map((value) => round(activate(this.#settings.activation, value)));
    return this.#linear(`${prefix}linear2`, { ...hidden, data: activated });
  }

  #attention(name: string, x: Rows, m: Rows, added: Added): Rows {
    const { dot, round } = this.#arithmetic;
    const { nHead } = this.#settings;
    const E = x.width;
    const D = E / nHead;
    const weight = this.#need(`${name}.in_proj_weight`);
    const bias = this.#weights.get(`${name}.in_proj_bias`)?.data;
    const part = (n: number, input: Rows): Rows => this.#product(weight, bias, n * E, E, input);
    const [q, k, v] = [part(0, x), part(1, m), part(2, m)];
    const heads = { ...x, data: new Float64Array(x.data.length) };
    const scale = round(1 / Math.sqrt(D));
    for (let b = 0; b < x.batch; b++)
      for (let h = 0; h < nHead; h++)
        for (let i = 0; i < x.tokens; i++) {
          const from = (b * x.tokens + i) * E + h * D;
          const key = (j: number): number => (b * m.tokens + j) * E + h * D;
          const logits = Array.from({ length: m.tokens }, (_, j) =>
            round(round(dot(0, q.data, from, k.data, key(j), 1, D) * scale) + added(b, h, i, j)),
          );
          const top = Math.max(...logits);
          if (top === -Infinity) continue;
          const powers = logits.map((logit) => round(Math.exp(round(logit - top))));
          const total = powers.reduce((sum, power) => round(sum + power), 0);
          const weights = powers.map((power) => round(power / total));
          for (let d = 0; d < D; d++) heads.data[from + d] = dot(0, weights, 0, v.data, key(0) + d, E, m.tokens);
        }
    return this.#linear(`${name}.out_proj`, heads);
  }

  #linear(name: string, x: Rows): Rows {
    const { shape } = this.#weights.get(`${name}.weight`)!;
    return this.#product(this.#need(`${name}.weight`), this.#weights.get(`${name}.bias`)?.data, 0, shape[0] as number, x);
  }

  /** x Wᵀ + b with `rows` rows of W from row `from` on. */
  #product(weight: ArrayLike<number>, bias: ArrayLike<number> | undefined, from: number, rows: number, x: Rows): Rows {
    const { dot, round } = this.#arithmetic;
    const count = x.batch * x.tokens;
    const data = new Float64Array(count * rows);
    for (let t = 0; t < count; t++)
      for (let o = 0; o < rows; o++) {
        const sum = dot(0, x.data, t * x.width, weight, (from + o) * x.width, 1, x.width);
        data[t * rows + o] = round(sum + ((bias?.[from + o] as number | undefined) ?? 0));
      }
    return { ...x, data, width: rows };
  }

  #need(name: string): ArrayLike<number> {
    const values = this.#weights.get(name);
    if (values === undefined) throw new Error(`there is no ${name}`);
    return values.data;
  }
}

function activate(name: Settings['activation'], x: number): number {
  if (name === 'relu') return x > 0 ? x : 0;
  if (name === 'gelu') return (x / 2) * (1 + erf(x / Math.SQRT2));
  return (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
}

/** 2/√π exp(-x²) Σ 2ⁿ x²ⁿ⁺¹ / (2n+1)!! (NIST's handbook, 7.6.2): all terms have one sign. */
function erf(x: number): number {
  if (Math.abs(x) > 6) return Math.sign(x);
  let [term, sum] = [x, x];
  for (let n = 1; Math.abs(term) > 1e-18 * Math.abs(sum); n++) sum += term *= (2 * x * x) / (2 * n + 1);
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}
