/** The transformer's stacks of layers, over Tensors [B, T, E]: the heads lie side by side in E. */
import { fail } from '../../errors/errors.ts';
import { add, concat, embedding, layerNorm, linear, multiply } from '../../ops/index.ts';
import { sinusoidalPositions } from '../../position/index.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import { booleanOption, integerOption, numberOption } from './option_values.ts';
import type { System } from './system.ts';
import { layerCount } from './transformer_params.ts';

/** Projected keys and values of a layer: [B, tokens, E] each. */
export interface KeysAndValues {
  readonly keys: Tensor;
  readonly values: Tensor;
}

/** One sublayer's attention: its sum of values, projected, and its weights [B, heads, T, keys]. */
interface Attended {
  readonly output: Tensor;
  readonly weights: Tensor;
}

export class TransformerLayers {
  readonly heads: number;
  readonly encoderLayers: number;
  readonly decoderLayers: number;
  readonly #system: System;
  readonly #normFirst: boolean;
  readonly #activation: 'relu' | 'gelu';
  readonly #eps: number;
  readonly #scaleEmbedding: boolean;
  readonly #positions: 'sinusoidal' | 'none';

  constructor(system: System) {
    const E = system.size('E');
    this.#system = system;
    this.heads = integerOption(system, 'heads', 1, 2 ** 20);
    if (E % this.heads !== 0) fail('value', system.fn, `heads must divide E = ${E}, got ${this.heads}`);
    this.#normFirst = booleanOption(system, 'normFirst');
    this.#activation = system.choice('activation', ['relu', 'gelu']);
    this.#eps = numberOption(system, 'layerNormEps', 1e-5);
    this.#scaleEmbedding = booleanOption(system, 'scaleEmbedding', true);
    this.#positions = system.choice('positions', ['sinusoidal', 'none']);
    const names = Object.keys(system.params);
    [this.encoderLayers, this.decoderLayers] = [layerCount('encoder', names), layerCount('decoder', names)];
  }

  get sourceTable(): Tensor {
    return this.#param('sourceEmbedding.weight')!;
  }

  get targetTable(): Tensor {
    return this.#param('targetEmbedding.weight') ?? this.sourceTable;
  }

  /** X = embedding·√E of ids [B, T]. */
  embed(ids: Int32Array, table: Tensor): Tensor {
    const { fovea, batch } = this.#system;
    const tokens = embedding(fovea, { data: ids, shape: [batch, ids.length / batch] }, table);
    return this.#scaleEmbedding ? multiply(fovea, tokens, Math.sqrt(table.shape[1]!)) : tokens;
  }

  /** X + PE, from position `start` on. */
  place(x: Tensor, start: number): Tensor {
    if (this.#positions === 'none') return x;
    const [, tokens, width] = x.shape as [number, number, number];
    return add(this.#system.fovea, x, sinusoidalPositions(this.#system.fovea, { tokens, width, start }));
  }

  /** The memory, and the weights of each layer. */
  encode(x: Tensor, lengths: readonly number[]): { memory: Tensor; weights: Tensor[] } {
    const weights: Tensor[] = [];
    for (let l = 0; l < this.encoderLayers; l++) {
      const layer = `encoder.layers.${l}.`;
      const attend = (one: Tensor): Tensor =>
        note(
          weights,
          this.#attend(`${layer}self_attn.`, one, this.#keysAndValues(`${layer}self_attn.`, one), { keyLengths: lengths }),
        );
      x = this.#sublayer(`${layer}norm1`, x, attend);
      x = this.#sublayer(`${layer}norm2`, x, (one) => this.#feedForward(layer, one));
    }
    return { memory: this.#finalNorm('encoder', x), weights };
  }

  /** The memory as each decoder layer's cross-attention sees it. */
  project(memory: Tensor): KeysAndValues[] {
    return Array.from({ length: this.decoderLayers }, (_, l) =>
      this.#keysAndValues(`decoder.layers.${l}.multihead_attn.`, memory),
    );
  }

  /** The decoder over tokens that follow the `past`'s, one for each layer; `past` of the result has those too. */
  decode(
    x: Tensor,
    memory: readonly KeysAndValues[],
    sourceLengths: readonly number[],
    past: readonly KeysAndValues[],
  ): { output: Tensor; weights: Tensor[]; crossWeights: Tensor[]; past: KeysAndValues[] } {
    const { fovea } = this.#system;
    const [weights, crossWeights, all]: [Tensor[], Tensor[], KeysAndValues[]] = [[], [], []];
    for (let l = 0; l < this.decoderLayers; l++) {
      const layer = `decoder.layers.${l}.`;
      const causalOffset = past[l]?.keys.shape[1] ?? 0;
      const attend = (one: Tensor): Tensor => {
        const own = this.#keysAndValues(`${layer}self_attn.`, one);
        const join = (name: 'keys' | 'values'): Tensor =>
          causalOffset === 0 ? own[name] : concat(fovea, [past[l]![name], own[name]], { axis: 1 });
        all.push({ keys: join('keys'), values: join('values') });
        return note(weights, this.#attend(`${layer}self_attn.`, one, all[l]!, { causal: true, causalOffset }));
      };
      x = this.#sublayer(`${layer}norm1`, x, attend);
      x = this.#sublayer(`${layer}norm2`, x, (one) =>
        note(crossWeights, this.#attend(`${layer}multihead_attn.`, one, memory[l]!, { keyLengths: sourceLengths })),
      );
      x = this.#sublayer(`${layer}norm3`, x, (one) => this.#feedForward(layer, one));
    }
    return { output: this.#finalNorm('decoder', x), weights, crossWeights, past: all };
  }

  /** Y·generator.weightᵀ + generator.bias: [B, T, V]. */
  logits(output: Tensor): Tensor {
    const weight = this.#param('generator.weight') ?? this.targetTable;
    return linear(this.#system.fovea, output, weight, this.#param('generator.bias'));
  }

  /** x + f(norm(x)), or norm(x + f(x)). */
  #sublayer(norm: string, x: Tensor, f: (x: Tensor) => Tensor): Tensor {
    const { fovea } = this.#system;
    return this.#normFirst ? add(fovea, x, f(this.#norm(norm, x))) : this.#norm(norm, add(fovea, x, f(x)));
  }

  /** concat over heads of softmax(q kᵀ / √(E / heads)) v, projected. */
  #attend(
    prefix: string,
    x: Tensor,
    { keys, values }: KeysAndValues,
    rules: { keyLengths: readonly number[] } | { causal: true; causalOffset: number },
  ): Attended {
    const { fovea } = this.#system;
    const { output, weights } = fovea.attention(this.#project(prefix, x, 0), keys, values, {
      layout: 'btd',
      heads: this.heads,
      returnWeights: true,
      ...rules,
    });
    return { output: this.#linear(`${prefix}out_proj`, output), weights };
  }

  #keysAndValues(prefix: string, x: Tensor): KeysAndValues {
    return { keys: this.#project(prefix, x, 1), values: this.#project(prefix, x, 2) };
  }

  /** Queries, keys or values: x times a third of in_proj_weight. */
  #project(prefix: string, x: Tensor, part: 0 | 1 | 2): Tensor {
    const E = this.#system.size('E');
    const third = (name: string): Tensor | undefined => this.#param(prefix + name)?.slice(0, part * E, (part + 1) * E);
    return linear(this.#system.fovea, x, third('in_proj_weight')!, third('in_proj_bias'));
  }

  #feedForward(layer: string, x: Tensor): Tensor {
    return this.#linear(`${layer}linear2`, this.#linear(`${layer}linear1`, x, this.#activation));
  }

  #linear(name: string, x: Tensor, activation?: 'relu' | 'gelu'): Tensor {
    return linear(this.#system.fovea, x, this.#param(`${name}.weight`)!, this.#param(`${name}.bias`), { activation });
  }

  #norm(name: string, x: Tensor): Tensor {
    const [weight, bias] = [this.#param(`${name}.weight`), this.#param(`${name}.bias`)];
    return layerNorm(this.#system.fovea, x, { weight, bias, eps: this.#eps });
  }

  #finalNorm(stack: string, x: Tensor): Tensor {
    return this.#system.has(`${stack}.norm.weight`) ? this.#norm(`${stack}.norm`, x) : x;
  }

  #param(name: string): Tensor | undefined {
    return this.#system.params[name];
  }
}

/** Keeps the weights of an attention, gives its output. */
function note(list: Tensor[], { output, weights }: Attended): Tensor {
  list.push(weights);
  return output;
}
