import { run } from 'fovea/catalog';
import type { Arguments, CatalogResult } from 'fovea/catalog';
import type { Matrix } from '../../figures/matrix.ts';
import type { Mechanism } from '../../stages/mechanism.svelte.ts';
import { lastMatrix, lastRow } from './reading.ts';

/** A memory of fruits and their prices: what has been written after so many tokens, and what a query reads then. */

type Rows = readonly (readonly number[])[];

/** Fruits by their numbers in the messages. Those after the third have keys between the axes of the others. */
export interface Stored {
  readonly id: string;
  readonly fruits: readonly number[];
  readonly inputs: (defaults: Arguments) => Arguments;
}

const DIAGONAL = Math.SQRT1_2;
/** Keys as φ sees them, each of length 1. */
const KEYS = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [DIAGONAL, DIAGONAL, 0], [0, DIAGONAL, DIAGONAL]]; // prettier-ignore
/** Price, sweet, sour. */
const VALUES = [[3, 2, 1], [5, 3, 1], [8, 3, 2], [9, 3, 1], [6, 1, 3]]; // prettier-ignore
/** elu(x) + 1 underflows to 0 here. */
const NOTHING = -100;
/** x of which elu(x) + 1 is y. */
const beforeElu = (y: number): number => (y === 0 ? NOTHING : y < 1 ? Math.log(y) : y - 1);

function first(count: number): Stored {
  const keys = KEYS.slice(0, count).map((key) => key.map(beforeElu));
  const inputs = { q: keys, k: keys, v: VALUES.slice(0, count) };
  return {
    id: String(count),
    fruits: KEYS.slice(0, count).map((_, fruit) => fruit),
    inputs: (defaults) => (count === 3 ? defaults : inputs),
  };
}
function plain(count: number): Stored {
  const keys = KEYS.slice(0, count);
  const inputs = { q: keys, k: keys, v: VALUES.slice(0, count).map(([price = 0]) => [price]) };
  return { ...first(count), inputs: () => inputs };
}

/** By the mechanism; the first of several that fits is that of the defaults. */
const SETS: Readonly<Record<string, readonly Stored[]>> = {
  linear: [2, 3, 4, 5].map(first),
  linear_rnn: [{ id: 'twice', fruits: [0, 1, 0], inputs: (defaults) => defaults }],
  delta_rule: [{ id: 'twice', fruits: [0, 0], inputs: (defaults) => defaults }, plain(3), plain(4), plain(5)],
};

const rowsOf = (mechanism: Mechanism, name: string): Rows => (mechanism.inputs[name] ?? []) as Rows;

export const setsOf = (mechanism: Mechanism): readonly Stored[] => SETS[mechanism.entry.id] ?? [];
export function chosenSet(mechanism: Mechanism): Stored {
  const tokens = rowsOf(mechanism, 'k').length;
  const sets = setsOf(mechanism);
  return sets.find(({ fruits }) => fruits.length === tokens) ?? sets[0]!;
}

export const pricesOf = (mechanism: Mechanism): number[] => rowsOf(mechanism, 'v').map(([price = 0]) => price);
/** The key of a fruit, which is also its query. */
export const queryOf = (mechanism: Mechanism, { fruits }: Stored, fruit: number): readonly number[] =>
  rowsOf(mechanism, 'q')[fruits.indexOf(fruit)] ?? [];

/** The mechanism over the first tokens; with a query, all of them ask it, so that the last one reads all of these tokens. */
export function after(
  mechanism: Mechanism,
  tokens: number,
  query?: readonly number[],
  options: Arguments = mechanism.options,
): CatalogResult {
  const firstOf = (name: string): Rows => rowsOf(mechanism, name).slice(0, tokens);
  const q = firstOf('q');
  const inputs = { q: query ? q.map(() => query) : q, k: firstOf('k'), v: firstOf('v') };
  return run(mechanism.fovea, mechanism.entry.id, inputs, mechanism.params, options);
}

export interface Sums {
  /** [axes, value components] */
  readonly state: Matrix;
  /** One number an axis; empty where nothing is divided. */
  readonly normalizer: readonly number[];
}

export function sumsOf({ trace }: CatalogResult): Sums {
  const find = (name: string) => trace.find((stage) => stage.name === name);
  const state = lastMatrix(find('state'));
  return { state, normalizer: Array.from(find('normalizer')?.data.slice(-state.rows) ?? []) };
}

export interface Reading {
  /** The first component of the prices. */
  readonly output: number;
  readonly numerator: number;
  /** Null where nothing is divided. */
  readonly denominator: number | null;
  /** The query as φ sees it. */
  readonly features: readonly number[];
  /** The weights of the tokens that the reading stands for. */
  readonly weights: readonly number[];
}

export function readingOf({ trace }: CatalogResult): Reading {
  const row = (name: string) => lastRow(trace.find((stage) => stage.name === name));
  return {
    output: lastOf(trace, 'output'),
    numerator: lastOf(trace, 'numerator'),
    denominator: row('denominator')[0] ?? null,
    features: row('queryFeatures'),
    weights: row('weights'),
  };
}

const lastOf = (trace: CatalogResult['trace'], name: string): number =>
  lastRow(trace.find((stage) => stage.name === name))[0] ?? NaN;

/** The scale at which softmax tells the keys apart. */
export const SHARP = 30;

/** Softmax attention's reading with these features: the price. */
export function softmaxReading(mechanism: Mechanism, tokens: number, query: readonly number[]): number {
  const { trace } = after(mechanism, tokens, query);
  const features = (name: string) => {
    const { data, shape } = trace.find((stage) => stage.name === name)!;
    return { data, shape };
  };
  const v = rowsOf(mechanism, 'v').slice(0, tokens);
  const { output } = mechanism.fovea.attention(features('queryFeatures'), features('keyFeatures'), v, { scale: SHARP });
  return output.data[(tokens - 1) * (v[0]?.length ?? 1)] ?? NaN;
}

/** The update rule without taking away what a key reads. */
export const ADDING: Arguments = { updateRule: 'linear', beta: undefined, scale: 1 };
