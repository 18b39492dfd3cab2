/** The keys of config.json, read one by one: each has the type that its family gives it, or the family's default. */
import { describe, fail } from '../errors/errors.ts';
import { isList, isPlainObject } from '../errors/options.ts';
import type { ActivationName } from '../ops/activations.ts';

/** The activations by Hugging Face's names. */
const ACTIVATIONS: Readonly<Record<string, ActivationName>> = {
  gelu: 'gelu',
  gelu_python: 'gelu',
  gelu_new: 'geluTanh',
  gelu_fast: 'geluTanh',
  gelu_pytorch_tanh: 'geluTanh',
  quick_gelu: 'quickGelu',
  relu: 'relu',
  silu: 'silu',
  swish: 'silu',
  tanh: 'tanh',
};

const MOST = 2 ** 30;
const MOST_LAYERS = 4096;
const MOST_LABELS = 2 ** 20;

export class ModelConfig {
  readonly fn: string;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #file: string;

  constructor(fn: string, values: Readonly<Record<string, unknown>>, file = 'config.json') {
    this.fn = fn;
    this.#values = values;
    this.#file = file;
  }

  /** The value of the first of the keys that is there and not null. */
  value(...keys: readonly string[]): unknown {
    for (const key of keys) {
      const value = Object.hasOwn(this.#values, key) ? this.#values[key] : undefined;
      if (value !== undefined && value !== null) return value;
    }
    return undefined;
  }

  /** A part of it that has keys of its own; empty where it is not there. */
  part(key: string): ModelConfig {
    const value = this.value(key);
    if (value !== undefined && !isPlainObject(value)) this.wrong(key, 'an object', value);
    return new ModelConfig(this.fn, (value ?? {}) as Record<string, unknown>, `${this.#file}, ${key}`);
  }

  /** Whether the key is there, null too: null says that there is none of it, where a key that is left out has the family's default. */
  has(key: string): boolean {
    return Object.hasOwn(this.#values, key);
  }

  natural(keys: string | readonly string[], fallback?: number, most = MOST): number {
    const [name, value] = this.#find(keys, fallback);
    if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > most)
      this.wrong(name, `an integer from 1 to ${most}`, value);
    return value as number;
  }

  number(keys: string | readonly string[], fallback?: number): number {
    const [name, value] = this.#find(keys, fallback);
    if (typeof value !== 'number' || !Number.isFinite(value)) this.wrong(name, 'a number', value);
    return value as number;
  }

  flag(key: string, fallback: boolean): boolean {
    const value = this.value(key) ?? fallback;
    if (typeof value !== 'boolean') this.wrong(key, 'true or false', value);
    return value as boolean;
  }

  text(key: string, fallback = ''): string {
    const value = this.value(key) ?? fallback;
    if (typeof value !== 'string') this.wrong(key, 'a text', value);
    return value as string;
  }

  /** How many layers there are: lists of layers are made of it before any weight is looked for. */
  layers(keys: string | readonly string[], fallback: number): number {
    return this.natural(keys, fallback, MOST_LAYERS);
  }

  /** The first of `architectures`, the name of the model's class; undefined where the key is not there. */
  architecture(): string | undefined {
    const value = this.value('architectures');
    if (value === undefined) return undefined;
    const [first] = isList(value) ? value : [];
    return typeof first === 'string' ? first : this.wrong('architectures', 'a list of one text', value);
  }

  /** One for each of `count` layers; undefined where the key is not there. */
  listOf<T extends string>(key: string, count: number, choices: readonly T[]): readonly T[] | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (!isList(value) || value.length < count || !value.every((one) => choices.includes(one as T)))
      this.wrong(key, `a list of ${count} of ${choices.join(', ')}`, value);
    return value as readonly T[];
  }

  activation(keys: string | readonly string[], fallback: string): ActivationName {
    const [name, value] = this.#find(keys, fallback);
    const known = typeof value === 'string' && Object.hasOwn(ACTIVATIONS, value) ? ACTIVATIONS[value] : undefined;
    return known ?? this.wrong(name, `one of ${Object.keys(ACTIVATIONS).join(', ')}`, value);
  }

  /** The texts of the classes, in order; those that have none are named as Hugging Face does. */
  labels(): readonly string[] {
    const value = this.value('id2label');
    if (value !== undefined && !isPlainObject(value)) this.wrong('id2label', 'an object', value);
    const given = new Map(Object.entries((value ?? {}) as Record<string, unknown>));
    const count = given.size > 0 ? given.size : this.natural('num_labels', 2, MOST_LABELS);
    return Array.from({ length: count }, (_, n) => {
      const label = given.get(String(n)) ?? `LABEL_${n}`;
      return typeof label === 'string' ? label : this.wrong(`id2label[${n}]`, 'a text', label);
    });
  }

  /** Refuses a key that would change the numbers, unless it has one of the values that do not. */
  only(key: string, neutral: readonly unknown[]): void {
    const value = this.value(key);
    if (value !== undefined && !neutral.includes(value))
      fail('value', this.fn, `${this.#file}: ${key} ${describe(value)} is not supported${neutralOf(neutral)}`);
  }

  wrong(name: string, rule: string, value: unknown): never {
    fail('value', this.fn, `${this.#file}: ${name} must be ${rule}, got ${describe(value)}`);
  }

  #find(keys: string | readonly string[], fallback: unknown): readonly [string, unknown] {
    const names = typeof keys === 'string' ? [keys] : keys;
    return [names[0]!, this.value(...names) ?? fallback];
  }
}

const neutralOf = (neutral: readonly unknown[]): string =>
  neutral.length === 0 ? '' : `; it must be ${neutral.map(describe).join(' or ')}`;
