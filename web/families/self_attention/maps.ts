import type { TraceStage } from 'fovea';
import type { Defaults } from 'fovea/catalog';
import { mapNames } from '../../../build/generated/texts/family_self_attention.ts';
import type { Matrix } from '../../figures/matrix.ts';
import { at } from '../../figures/matrix.ts';
import { fill, type Localized, type Slots } from '../../shell/localized.ts';

export type PatternName = 'previous' | 'next' | 'same' | 'first' | 'diagonal' | 'uniform';

/** The weights of one head, layer or feature: what each query attends to. */
export interface AttentionMap {
  readonly name: Localized;
  /** [queries, keys] */
  readonly weights: Matrix;
  readonly queries: readonly string[];
  readonly keys: readonly string[];
  /** A text that attends to itself. */
  readonly same: boolean;
  /** ‖v_j‖ of each key; null where the trace has no values of its own for the keys. */
  readonly norms: readonly number[] | null;
  /** 1 where a pair may not attend. */
  readonly masked?: Matrix;
}

export interface Words {
  readonly queries: readonly string[];
  readonly keys: readonly string[];
}

type Label = readonly (string | null)[] | null;

/** The words as the catalog names them: those of the keys, and of the queries where they differ. */
export function wordsOf(sample: Defaults): Words {
  const labels = sample.labels as Readonly<Record<string, readonly Label[]>>;
  // [tokens, features] or [heads, tokens, features]: the tokens stand before the features.
  const of = (name: string): readonly string[] | undefined => {
    const axes = labels[name] ?? [];
    return (axes[Math.max(0, axes.length - 2)] as readonly string[] | null | undefined) ?? undefined;
  };
  const text = of('X') ?? of('x');
  const queries = text ?? of('q') ?? of('target') ?? of('source') ?? [];
  return { queries, keys: text ?? of('k') ?? of('source') ?? queries };
}

/** The last two axes of a stage as matrices, one for each place of the axes before. */
export function slices({ shape, data }: TraceStage): Matrix[] {
  const [rows = 1, cols = 1] = shape.slice(-2);
  const count = data.length / (rows * cols);
  return Array.from({ length: count }, (_, n) => ({
    data: data.slice(n * rows * cols, (n + 1) * rows * cols),
    rows,
    cols,
  }));
}

/** [query, key, feature] as one matrix [query, key] for each feature. */
function byFeature({ shape: [rows = 1, cols = 1, features = 1], data }: TraceStage): Matrix[] {
  return Array.from({ length: features }, (_, f) => ({
    data: Float32Array.from({ length: rows * cols }, (_, i) => data[i * features + f] ?? NaN),
    rows,
    cols,
  }));
}

const sameNumbers = (a: Matrix, b: Matrix): boolean => Array.from(a.data).every((x, i) => x === b.data[i]);

function mask(size: number, forbidden: (query: number, key: number) => boolean): Matrix {
  const data = Float32Array.from({ length: size * size }, (_, i) => Number(forbidden(Math.floor(i / size), i % size)));
  return { data, rows: size, cols: size };
}

function lengths(values: Matrix): number[] {
  return Array.from({ length: values.rows }, (_, j) =>
    Math.sqrt(Array.from({ length: values.cols }, (_, d) => at(values, j, d) ** 2).reduce((sum, x) => sum + x, 0)),
  );
}

/** Every map of weights that a trace of this family holds, heads and layers in order. */
export function mapsOf(trace: readonly TraceStage[], words: Words, source: readonly string[]): AttentionMap[] {
  const stage = (name: string): TraceStage | undefined => trace.find((one) => one.name === name);
  const maps: AttentionMap[] = [];
  const weights = stage('weights');
  if (weights?.axes.at(-1) === 'feature') {
    const features = byFeature(weights);
    const alike = features.every((one) => sameNumbers(one, features[0]!));
    (alike ? features.slice(0, 1) : features).forEach((one, f) =>
      maps.push({ ...text(words.queries, one), name: alike ? mapNames.allFeatures : fill(mapNames.feature, { n: f + 1 }) }),
    );
  } else if (weights) {
    const heads = slices(weights);
    const values = stage('value');
    const perHead = values ? slices(values) : [];
    const logits = stage('masked');
    const masks = logits ? slices(logits) : [];
    // Values that come from a table of distances belong to a pair, not to a key.
    const byPair = stage('output')?.formula.includes('r^V') ?? false;
    const same = words.keys === words.queries;
    heads.forEach((one, h) => {
      const value = perHead[h] ?? perHead[0];
      maps.push({
        name: heads.length === 1 ? mapNames.weights : fill(mapNames.head, { n: h + 1 }),
        weights: one,
        ...words,
        same,
        norms: value && !byPair && value.cols > 1 ? lengths(value) : null,
        ...(masks[h] ? { masked: { ...one, data: Float32Array.from(masks[h].data, (x) => Number(x === -Infinity)) } } : {}),
      });
    });
  }
  for (const [name, alone, ofFeature, forbidden] of [
    ['forwardWeights', mapNames.forward, mapNames.forwardFeature, (i: number, j: number) => j >= i],
    ['backwardWeights', mapNames.backward, mapNames.backwardFeature, (i: number, j: number) => j <= i],
  ] as const) {
    const directed = stage(name);
    if (!directed) continue;
    const features = directed.axes.at(-1) === 'feature' ? byFeature(directed) : slices(directed);
    features.forEach((one, f) =>
      maps.push({
        ...text(words.queries, one),
        name: features.length > 1 ? fill(ofFeature, { n: f + 1 }) : alone,
        masked: mask(one.rows, forbidden),
      }),
    );
  }
  const layers = (
    name: string,
    titled: Localized<(slots: Slots<'n'>) => string>,
    of: (one: Matrix) => Omit<AttentionMap, 'name'>,
  ): void => {
    const found = stage(name);
    if (found) slices(found).forEach((one, n) => maps.push({ ...of(one), name: fill(titled, { n: n + 1 }) }));
  };
  layers('encoderWeights', mapNames.encoder, (one) => text(source, one));
  layers('decoderWeights', mapNames.decoder, (one) => ({
    ...text(words.queries, one),
    masked: mask(one.rows, (i, j) => j > i),
  }));
  layers('crossWeights', mapNames.cross, (one) => ({
    weights: one,
    queries: words.queries,
    keys: source,
    same: false,
    norms: null,
  }));
  return maps;
}

const text = (words: readonly string[], weights: Matrix): Omit<AttentionMap, 'name'> => ({
  weights,
  queries: words,
  keys: words,
  same: true,
  norms: null,
});

const MOST = 0.9;

/** The pattern that a map has, seen from its numbers alone: nearly all of every query's weight in one place. */
export function patternOf({ weights, queries, keys, same }: AttentionMap): PatternName | null {
  const { rows, cols } = weights;
  if (!same || rows < 3 || rows !== cols) return null;
  const all = (test: (i: number) => boolean, from = 0, to = rows): boolean => {
    for (let i = from; i < to; i++) if (!test(i)) return false;
    return true;
  };
  const evenly = (i: number): boolean => {
    const line = Array.from({ length: cols }, (_, j) => at(weights, i, j)).filter((x) => x > 0);
    return line.length > 1 && Math.max(...line) - Math.min(...line) < 0.01;
  };
  const onSameWord = (i: number): number =>
    keys.reduce((sum, word, j) => (word === queries[i] ? sum + at(weights, i, j) : sum), 0);
  if (all((i) => at(weights, i, i) >= MOST)) return 'diagonal';
  if (all((i) => at(weights, i, i - 1) >= MOST, 1)) return 'previous';
  if (all((i) => at(weights, i, i + 1) >= MOST, 0, rows - 1)) return 'next';
  if (all((i) => at(weights, i, 0) >= MOST)) return 'first';
  if (all((i) => onSameWord(i) >= MOST)) return 'same';
  if (all(evenly, 1)) return 'uniform';
  return null;
}
