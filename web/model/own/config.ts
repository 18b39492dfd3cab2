/** A dropped config.json: numbers and texts that are checked before anything believes them. */
import type { ActivationName } from 'fovea/ops';
import type { Checkpoint } from './checkpoint.ts';

export type Config = Readonly<Record<string, unknown>>;

/** Hugging Face's names of activations, with those of fovea/ops. */
const ACTIVATIONS: Readonly<Record<string, ActivationName>> = {
  ...{ relu: 'relu', gelu: 'gelu', silu: 'silu', swish: 'silu', tanh: 'tanh', sigmoid: 'sigmoid' },
  ...{ gelu_new: 'geluTanh', gelu_pytorch_tanh: 'geluTanh', gelu_fast: 'geluTanh' },
};

/** Options of other variants of these models, with the values at which they change nothing. */
const PLAIN: Readonly<Record<string, readonly unknown[]>> = {
  sliding_window: [null],
  position_embedding_type: ['absolute'],
  attn_logit_softcapping: [null],
  final_logit_softcapping: [null],
  scale_attn_by_inverse_layer_idx: [false],
  attention_bias: [true, false],
  is_decoder: [false],
  add_cross_attention: [false],
  quantization_config: [null],
  parallel_attn: [false],
  partial_rotary_factor: [1, null],
};

export class ConfigReader {
  readonly #config: Config | null;
  readonly #checkpoint: Checkpoint;

  constructor(config: Config | null, checkpoint: Checkpoint) {
    this.#config = config;
    this.#checkpoint = checkpoint;
  }

  /** Own properties only: the text comes from a file. */
  get(...keys: readonly string[]): { key: string; value: unknown } | undefined {
    const config = this.#config;
    const key = config === null ? undefined : keys.find((one) => Object.hasOwn(config, one) && config[one] !== null);
    return key === undefined ? undefined : { key, value: config![key] };
  }

  /** A whole number, 1 or more; where there is none, `otherwise` is assumed and said. */
  count(keys: readonly [string, ...string[]], otherwise: number): number {
    const found = this.get(...keys);
    if (found === undefined) return this.#assume(keys[0], otherwise);
    if (Number.isSafeInteger(found.value) && (found.value as number) >= 1 && (found.value as number) < 1e6)
      return found.value as number;
    return this.#refuse(found, otherwise);
  }

  /** A number above 0. */
  positive(keys: readonly [string, ...string[]], otherwise: number): number {
    const found = this.get(...keys);
    if (found === undefined) return this.#assume(keys[0], otherwise);
    const number = found.value;
    return typeof number === 'number' && number > 0 && number < 1e12 ? number : this.#refuse(found, otherwise);
  }

  activation(keys: readonly [string, ...string[]], otherwise: string): ActivationName {
    const found = this.get(...keys) ?? { key: keys[0], value: this.#assume(keys[0], otherwise) };
    const name =
      typeof found.value === 'string' && Object.hasOwn(ACTIVATIONS, found.value) ? ACTIVATIONS[found.value] : undefined;
    return name ?? this.#refuse(found, ACTIVATIONS[otherwise]!);
  }

  /** Says which options of the config are not understood. */
  noteOthers(known: readonly string[]): void {
    const type = this.get('model_type');
    if (type !== undefined && !known.includes(String(type.value))) this.ignore(type);
    for (const [key, values] of Object.entries(PLAIN)) {
      const found = this.get(key);
      if (found !== undefined && !values.includes(found.value)) this.ignore(found);
    }
  }

  ignore({ key, value }: { key: string; value: unknown }): void {
    this.#checkpoint.note({ kind: 'ignored', key, value: written(value) });
  }

  #assume<T>(key: string, value: T): T {
    this.#checkpoint.note({ kind: 'assumed', key, value: String(value) });
    return value;
  }

  #refuse<T>({ key, value }: { key: string; value: unknown }, otherwise: T): T {
    this.#checkpoint.note({ kind: 'config', key, value: written(value) });
    return otherwise;
  }
}

const written = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 60);
