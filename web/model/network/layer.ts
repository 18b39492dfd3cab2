/**
 * One layer of a transformer whose attention lies open: the weights of each head, what each head adds, and heads that are switched off or
 * have another mechanism in their place.
 *
 *     pre-norm    h = shortcut(x) + attention(norm1(x)),   y = h + feed(norm2(h))
 *     post-norm   h = norm1(x + attention(x)),             y = norm2(h + feed(h))
 *     feed        W2·act(W1·x + b1) + b2, gated: W2·(up(x) ⊙ act(gate(x)))
 */
import type { Fovea, Tensor } from 'fovea';
import { LayerNorm, Linear, RMSNorm } from 'fovea/nn';
import { add, linear, multiply, type ActivationName } from 'fovea/ops';
import { rotaryEmbedding, type RotaryOptions } from 'fovea/position';
import { exchange, lengths, type HeadsShape } from './heads.ts';
import type { HeadChange, LayerPass } from './types.ts';

export interface Weights {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

/** A linear layer [out, in] with or without bias, or a norm. */
export interface Part {
  readonly weight: Weights;
  readonly bias?: Weights | undefined;
}

export interface LayerShape extends HeadsShape {
  readonly order: 'pre' | 'post';
  readonly norm: 'layer' | 'rms';
  readonly eps: number;
  readonly activation: ActivationName;
  readonly rope?: RotaryOptions | undefined;
}

export interface LayerParts {
  readonly norm1: Part;
  /** Rows of queries, keys and values: (H + 2·Hkv)·D. */
  readonly qkv: Part;
  readonly out: Part;
  readonly norm2: Part;
  readonly up: Part;
  readonly gate?: Part | undefined;
  readonly down: Part;
  readonly shortcut?: Part | undefined;
}

interface Module {
  forward(x: Tensor): Tensor;
  dispose(): void;
}

/** 'int8' keeps matrices in 8 bits and rounds what they multiply: more than four rows to 7 bits. */
export type Dtype = 'float32' | 'int8';

export class Layer {
  readonly #fovea: Fovea;
  readonly #shape: LayerShape;
  readonly #modules: Readonly<Record<'norm1' | 'qkv' | 'out' | 'norm2' | 'up' | 'down', Module>>;
  readonly #gate: Module | null;
  readonly #shortcut: Module | null;
  /** Wo by itself, whose columns are those of the heads. */
  readonly #Wo: Tensor;

  constructor(fovea: Fovea, shape: LayerShape, parts: LayerParts, dtype: Dtype) {
    this.#fovea = fovea;
    this.#shape = shape;
    const { activation } = shape;
    const gated = parts.gate !== undefined;
    this.#modules = {
      norm1: makeNorm(fovea, parts.norm1, shape),
      qkv: makeLinear(fovea, parts.qkv, dtype),
      out: makeLinear(fovea, parts.out, dtype),
      norm2: makeNorm(fovea, parts.norm2, shape),
      up: makeLinear(fovea, parts.up, dtype, gated ? undefined : activation),
      down: makeLinear(fovea, parts.down, dtype),
    };
    this.#gate = parts.gate ? makeLinear(fovea, parts.gate, dtype, activation) : null;
    this.#shortcut = parts.shortcut ? makeLinear(fovea, parts.shortcut, dtype) : null;
    this.#Wo = fovea.tensor(parts.out.weight);
  }

  /**
   * @param x [T, E]
   * @param changes what stands in a head's place, by the head's number
   */
  forward(x: Tensor, changes: ReadonlyMap<number, HeadChange>): Tensor;
  forward(x: Tensor, changes: ReadonlyMap<number, HeadChange>, look: true): { y: Tensor; pass: LayerPass };
  forward(x: Tensor, changes: ReadonlyMap<number, HeadChange>, look = false): Tensor | { y: Tensor; pass: LayerPass } {
    const fovea = this.#fovea;
    const { norm1, norm2 } = this.#modules;
    const pre = this.#shape.order === 'pre';
    const { output, pass } = this.#attend(pre ? norm1.forward(x) : x, changes, look);
    const sum = add(fovea, this.#shortcut ? this.#shortcut.forward(x) : x, output);
    const h = pre ? sum : norm1.forward(sum);
    const fed = add(fovea, h, this.#feed(pre ? norm2.forward(h) : h));
    const y = pre ? fed : norm2.forward(fed);
    return look ? { y, pass: pass! } : y;
  }

  dispose(): void {
    for (const module of [...Object.values(this.#modules), this.#gate, this.#shortcut, this.#Wo]) module?.dispose();
  }

  #feed(x: Tensor): Tensor {
    const { up, down } = this.#modules;
    return down.forward(this.#gate ? multiply(this.#fovea, up.forward(x), this.#gate.forward(x)) : up.forward(x));
  }

  #attend(x: Tensor, changes: ReadonlyMap<number, HeadChange>, look: boolean): { output: Tensor; pass: LayerPass | null } {
    const fovea = this.#fovea;
    const { heads, kvHeads, headDim, causal, rope } = this.#shape;
    const joint = this.#modules.qkv.forward(x);
    const [first, second] = [heads * headDim, (heads + kvHeads) * headDim];
    const turn = (part: Tensor, count: number): Tensor =>
      rope ? rotaryEmbedding(fovea, part, { ...rope, heads: count, layout: 'btd' }) : part;
    const q = turn(joint.slice(1, 0, first), heads);
    const k = turn(joint.slice(1, first, second), kvHeads);
    const v = joint.slice(1, second);
    const plain = fovea.attention(q, k, v, { heads, kvHeads, causal, returnWeights: look || undefined });
    const weights = look ? plain.weights!.toArray().data : null;
    const attended =
      changes.size === 0 ? plain.output : exchange(fovea, { q, k, v }, plain.output, weights, this.#shape, changes);
    const output = this.#modules.out.forward(attended);
    if (!weights) return { output, pass: null };
    const ofHead = (array: Tensor, head: number, column: number): Float32Array =>
      lengths(
        fovea,
        linear(
          fovea,
          array.slice(1, column * headDim, (column + 1) * headDim),
          this.#Wo.slice(1, head * headDim, (head + 1) * headDim),
        ),
      );
    const all = (array: Tensor, group: number): Float32Array =>
      Float32Array.from(Array.from({ length: heads }, (_, h) => [...ofHead(array, h, Math.floor(h / group))]).flat());
    const inputs = { q: q.toArray(), k: k.toArray(), v: v.toArray(), headDim, causal };
    return { output, pass: { inputs, weights, contributions: all(attended, 1), values: all(v, heads / kvHeads) } };
  }
}

function makeLinear(fovea: Fovea, { weight, bias }: Part, dtype: Dtype, activation?: ActivationName): Linear {
  const [outFeatures, inFeatures] = weight.shape as [number, number];
  const module = new Linear(fovea, { inFeatures, outFeatures, bias: bias !== undefined, activation });
  module.loadStateDict(bias ? { weight, bias } : { weight }, { dtype });
  return module;
}

function makeNorm(fovea: Fovea, { weight, bias }: Part, { norm, eps }: LayerShape): Module {
  const normalizedShape = weight.shape[0]!;
  if (norm === 'rms') {
    const module = new RMSNorm(fovea, { normalizedShape, eps });
    module.loadStateDict({ weight });
    return module as Module;
  }
  const module = new LayerNorm(fovea, { normalizedShape, eps, bias: bias !== undefined });
  module.loadStateDict(bias ? { weight, bias } : { weight });
  return module as Module;
}
