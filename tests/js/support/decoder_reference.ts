/**
 * A decoder of GPT-2's or Llama's kind by its equations, in double or in plain float32 loops, token by token:
 *   x = E[id] + P[position];   x = x + attention(norm1(x));   x = x + feedForward(norm2(x));   logits = norm(x)·headᵀ
 *   attention: softmax over the tokens so far of (R_p q)·(R_j k)/√D, R_p the rotation of the pairs (i, i + D/2) by p·base^(-2i/D)
 *   feedForward(x) = W2·f(W1 x + b1) + b2, gated: W2·(up(x)·silu(gate(x)))
 */
import type { Arithmetic, Values, Weights } from './transformer_reference.ts';

export interface DecoderSettings {
  readonly numLayers: number;
  readonly dModel: number;
  readonly nHead: number;
  readonly kvHeads: number;
  readonly headDim: number;
  readonly gated: boolean;
  readonly norm: 'layer' | 'rms';
  readonly normEps: number;
  /** Null: no rotary positions. */
  readonly ropeBase: number | null;
  readonly inOut: boolean;
}

type Vector = Float64Array<ArrayBuffer>;

export class DecoderReference {
  readonly #weights: Weights;
  readonly #settings: DecoderSettings;
  readonly #arithmetic: Arithmetic;

  constructor(weights: Weights, settings: DecoderSettings, arithmetic: Arithmetic) {
    this.#weights = weights;
    this.#settings = settings;
    this.#arithmetic = arithmetic;
  }

  /** [T, V]. */
  logits(ids: readonly number[]): Vector {
    const { numLayers, dModel } = this.#settings;
    const { round } = this.#arithmetic;
    const seen = Array.from({ length: numLayers }, () => ({ keys: [] as Vector[], values: [] as Vector[] }));
    const rows = ids.map((id, position) => {
      const learned = this.#weights.get('positions.weight')?.data;
      const embedding = this.#weights.get('embedding.weight')!.data;
      let x = Float64Array.from({ length: dModel }, (_, n) =>
        round(embedding[id * dModel + n]! + (learned?.[position * dModel + n] ?? 0)),
      );
      seen.forEach((cache, n) => (x = this.layer(`layers.${n}.`, x, position, cache)));
      const head = this.#weights.get('head.weight') ?? this.#weights.get('embedding.weight')!;
      return this.#product(head, undefined, this.#norm('norm', x), false);
    });
    return Float64Array.from(rows.flatMap((row) => [...row]));
  }

  layer(prefix: string, x: Vector, position: number, seen: { keys: Vector[]; values: Vector[] }): Vector {
    const { round } = this.#arithmetic;
    const sum = (a: Vector, b: Vector): Vector => a.map((value, n) => round(value + b[n]!));
    const h = sum(x, this.#attention(`${prefix}self_attn.`, this.#norm(`${prefix}norm1`, x), position, seen));
    return sum(h, this.#feedForward(prefix, this.#norm(`${prefix}norm2`, h)));
  }

  #attention(name: string, x: Vector, position: number, seen: { keys: Vector[]; values: Vector[] }): Vector {
    const { nHead, kvHeads, headDim } = this.#settings;
    const { dot, round } = this.#arithmetic;
    const all = this.#linear(`${name}in_proj_`, x);
    const [k, v] = [nHead * headDim, (nHead + kvHeads) * headDim];
    for (let head = 0; head < nHead + kvHeads; head++)
      this.#rotate(all.subarray(head * headDim, (head + 1) * headDim), position);
    seen.keys.push(all.slice(k, v));
    seen.values.push(all.slice(v));
    const heads = new Float64Array(k);
    for (let h = 0; h < nHead; h++) {
      const from = Math.floor((h * kvHeads) / nHead) * headDim;
      const scale = round(1 / Math.sqrt(headDim));
      const logits = seen.keys.map((key) => round(dot(0, all, h * headDim, key, from, 1, headDim) * scale));
      const top = Math.max(...logits);
      const powers = logits.map((logit) => round(Math.exp(round(logit - top))));
      const total = powers.reduce((sum, power) => round(sum + power), 0);
      const weights = powers.map((power) => round(power / total));
      for (let d = 0; d < headDim; d++) {
        const column = seen.values.map((value) => value[from + d]!);
        heads[h * headDim + d] = dot(0, weights, 0, column, 0, 1, weights.length);
      }
    }
    return this.#linear(`${name}out_proj.`, heads);
  }

  #rotate(row: Vector, position: number): void {
    const { ropeBase, headDim } = this.#settings;
    const { round } = this.#arithmetic;
    if (ropeBase === null) return;
    for (let i = 0; i < headDim / 2; i++) {
      const angle = position * ropeBase ** ((-2 * i) / headDim);
      const [cos, sin, u, w] = [round(Math.cos(angle)), round(Math.sin(angle)), row[i]!, row[i + headDim / 2]!];
      row[i] = round(round(u * cos) - round(w * sin));
      row[i + headDim / 2] = round(round(u * sin) + round(w * cos));
    }
  }

  #feedForward(prefix: string, x: Vector): Vector {
    const { round } = this.#arithmetic;
    const between = this.#linear(`${prefix}linear1.`, x);
    if (!this.#settings.gated)
      return this.#linear(
        `${prefix}linear2.`,
        between.map((value) => round(geluTanh(value))),
      );
    const half = between.length / 2;
    const gated = between.subarray(0, half).map((up, n) => {
      const gate = between[half + n]!;
      return round(up * round(gate / (1 + Math.exp(-gate))));
    });
    return this.#linear(`${prefix}linear2.`, gated);
  }

  #norm(name: string, x: Vector): Vector {
    const { round } = this.#arithmetic;
    const { norm, normEps } = this.#settings;
    const [weight, bias] = [this.#weights.get(`${name}.weight`)!.data, this.#weights.get(`${name}.bias`)?.data];
    const mean = norm === 'rms' ? 0 : round(x.reduce((sum, value) => round(sum + value), 0) / x.length);
    const variance = round(x.reduce((sum, value) => round(sum + round(round(value - mean) ** 2)), 0) / x.length);
    const factor = round(1 / Math.sqrt(round(variance + normEps)));
    return x.map((value, n) => round(round(round(round(value - mean) * factor) * weight[n]!) + (bias?.[n] ?? 0)));
  }

  #linear(name: string, x: Vector): Vector {
    return this.#product(this.#weights.get(`${name}weight`)!, this.#weights.get(`${name}bias`)?.data, x, this.#settings.inOut);
  }

  #product({ data, shape }: Values, bias: ArrayLike<number> | undefined, x: Vector, inOut: boolean): Vector {
    const { dot, round } = this.#arithmetic;
    const outer = shape[inOut ? 1 : 0]!;
    return Float64Array.from({ length: outer }, (_, o) => {
      const sum = inOut ? dot(0, x, 0, data, o, outer, x.length) : dot(0, x, 0, data, o * x.length, 1, x.length);
      return round(sum + (bias?.[o] ?? 0));
    });
  }
}

function geluTanh(x: number): number {
  return (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
}
