import type { Fovea, TraceStage } from 'fovea';
import type { Arguments, Defaults } from 'fovea/catalog';
import { linearAttention, type LinearOptions } from 'fovea/linear-attention';
import type { Pattern } from 'fovea/pattern';
import * as texts from '../../../build/generated/texts/computation.ts';
import type { Figure, FigureAxis, FigureFeatures, FigurePattern, Provenance } from '../../figures/figure.ts';
import { short, subscript } from '../../figures/format.ts';
import type { Matrix } from '../../figures/matrix.ts';
import { nested } from '../../figures/matrix.ts';
import { paint } from '../../patterns/painting.ts';
import { paintedCode, paintedPattern, patternCode, patternOf, seedOf } from '../../patterns/patterns.ts';
import type { Localized, Slots } from '../../shell/localized.ts';
import { local } from '../../shell/settings.svelte.ts';
import type { Expr, Index, Source } from '../../stages/arithmetic/expr.ts';
import { elementwise, leaf } from '../../stages/arithmetic/expr.ts';
import { leftOut, normalized } from '../../stages/arithmetic/lines.ts';
import { stageSource } from '../../stages/arithmetic/sources.ts';
import type { AxisOfPicture, Picture } from '../../stages/pictures.ts';
import { keyOf } from '../../stages/pictures.ts';
import type { Note, Selection, Told } from '../../stages/told.ts';
import { axisWords } from '../../stages/words.ts';
import { tokensAtOnce } from '../../text/at_once.ts';
import { divide } from '../../text/division.ts';
import { head } from '../../text/named_heads.ts';
import { positionLabel } from '../../text/positions.ts';
import { normalForm } from '../../text/tokens.ts';
import type { Axis } from '../../text/vectors.ts';
import { blockStarts, embed } from '../../text/vectors.ts';
import type { Choices } from './choices.svelte.ts';
import type { Example } from './example.ts';
import { featureNames, linearOptions, type MapName } from './feature_maps.ts';

type Trace = readonly TraceStage[];
type AxisNames = Omit<FigureAxis, 'title'>;

/** The matrices that attend, and what their rows and columns are. */
interface Given {
  readonly tokens: readonly string[];
  readonly matrices: Example;
  readonly labels: Defaults['labels'];
  /** Blocks and notes of an axis, by its labels. */
  readonly axes: ReadonlyMap<readonly string[], AxisNames>;
  /** Only for typed text. */
  readonly text?: { readonly total: number; readonly unlisted: readonly string[] };
}

/** A pattern for the tokens. */
export interface Sparse {
  readonly pattern: Pattern;
  /** The call that makes it. */
  readonly code: string;
  /** [queries, keys], 1 = kept. */
  readonly mask: Uint8Array;
  readonly kept: number;
  readonly named: FigurePattern;
}

const BY_PATTERN = ['pattern', 'masked', 'weights', 'output'];
/** Stages without a feature map in them. */
const BY_SOFTMAX = ['input', 'query', 'key', 'value', 'scores', 'scaled', 'exact'];
/** Letters of what has no formula. */
const LETTERS: Readonly<Record<string, string>> = { pattern: 'P', error: 'E' };
const SHARES = ['weights', 'dense', 'exact'];
/** Where a stage's features are among its axes, from the last. */
const FEATURE_AXES: Readonly<Record<string, number>> = { queryFeatures: 1, keyFeatures: 1, state: 2, normalizer: 1 };

/** One head of self-attention on the worked example or on the visitor's text, told stage by stage. */
export class Computation implements Told {
  readonly id = 'self_attention';
  readonly options = {};
  readonly fovea: Fovea;
  readonly choices: Choices;
  /** Null for a text without tokens. */
  readonly given: Given | null = $derived.by(() =>
    this.choices.input === 'example' ? givenExample(this.choices) : givenText(this.choices),
  );
  readonly sparse: Sparse | null = $derived.by(() => (this.choices.kind === 'sparse' ? this.#sparse() : null));
  readonly linear: LinearOptions | null = $derived.by(() => {
    const { kind, shownMap, scaled, causal } = this.choices;
    return kind === 'linear' ? linearOptions(shownMap, scaled, causal) : null;
  });
  readonly named: FigureFeatures | null = $derived.by(() => {
    const { map, seed } = this.choices.shownMap;
    const count = this.stage('queryFeatures')?.shape[1];
    return count === undefined ? null : { text: local(texts.maps[map]), count, ...(map === 'favor' ? { seed } : {}) };
  });
  readonly #computed = $derived.by((): { trace: Trace; error: string | null } => {
    try {
      return { trace: this.given ? this.traceOf(this.inputs, this.params) : [], error: null };
    } catch (error) {
      return { trace: [], error: error instanceof Error ? error.message : String(error) };
    }
  });
  /** Softmax attention over all pairs. */
  readonly dense: Trace = $derived.by(() => (this.given ? this.#softmax(this.inputs, this.params, null) : []));
  /** Queries that keep no key, or have nothing to share out. */
  readonly empty: readonly number[] = $derived.by(() => {
    const [name, nothing] = this.linear ? ['denominator', 0] : ['masked', -Infinity];
    const isEmpty = (line: readonly number[]): boolean => line.length > 0 && line.every((x) => x === nothing);
    return this.tokens.flatMap((_, i) => (isEmpty(this.rowOf(name, i)) ? [i] : []));
  });

  constructor(fovea: Fovea, choices: Choices) {
    [this.fovea, this.choices] = [fovea, choices];
  }

  readonly inputs: Arguments = $derived.by(() => (this.given ? { X: nested(this.given.matrices.X) } : {}));
  readonly params: Arguments = $derived.by(() => {
    if (!this.given) return {};
    const { Wq, Wk, Wv } = this.given.matrices;
    return { Wq: nested(Wq), Wk: nested(Wk), Wv: nested(Wv) };
  });
  get trace(): Trace {
    return this.#computed.trace;
  }
  get error(): string | null {
    return this.#computed.error;
  }
  get tokens(): readonly string[] {
    return this.given?.tokens ?? [];
  }
  get labels(): Defaults['labels'] {
    return this.given?.labels ?? {};
  }
  get provenance(): Provenance {
    return this.choices.input === 'example' && this.choices.anyEdited ? 'yours' : 'designed';
  }
  stage(name: string): TraceStage | undefined {
    return this.trace.find((stage) => stage.name === name);
  }

  #softmax(inputs: Arguments, params: Arguments, pattern: Pattern | null): Trace {
    const { scaled, causal } = this.choices;
    const options = { ...(scaled ? {} : { scale: 1 }), causal, ...(pattern ? { pattern } : {}), trace: true as const };
    return this.fovea.selfAttention(inputs['X'] as never, params as never, options).trace ?? [];
  }

  /**
   * With a pattern, scores outside of it are never computed: those of all pairs show what is left out. What is there for comparison comes after the
   * output, as formulas call arrays of the same letter.
   */
  traceOf(inputs: Arguments, params: Arguments): Trace {
    const dense = this.#softmax(inputs, params, null);
    if (!this.sparse && !this.linear) return dense;
    const projected = ['input', 'query', 'key', 'value'].map((name) => stageOf(dense, name));
    const scores = ['scores', 'scaled'].map((name) => stageOf(dense, name));
    const weights = stageOf(dense, 'weights');
    const beside = (name: string, data: Float32Array): TraceStage => ({ ...weights, name, formula: '', data });
    if (this.sparse) {
      const { pattern, mask } = this.sparse;
      const sparse = this.#softmax(inputs, params, pattern);
      const own = ['masked', 'weights', 'output'].map((name) => stageOf(sparse, name));
      return [...projected, ...scores, beside('pattern', Float32Array.from(mask)), ...own, { ...weights, name: 'dense' }];
    }
    const [q, k, v] = projected.slice(1);
    const linear = linearAttention(this.fovea, q!, k!, v!, { ...this.linear, trace: true }).trace ?? [];
    const difference = stageOf(linear, 'weights').data.map((x, i) => x - (weights.data[i] ?? NaN));
    const own = linear.filter(({ name }) => !['query', 'key', 'value'].includes(name));
    const compared = [{ ...weights, name: 'exact' }, beside('error', Float32Array.from(difference))];
    return [...projected, ...own, ...scores, ...compared];
  }

  /** The pairs of the chosen parts, which painting may have left. */
  chosenMask(): Uint8Array {
    return this.#maskOf(patternOf(this.choices.parts, this.choices.joint));
  }
  #maskOf(pattern: Pattern): Uint8Array {
    const tokens = this.tokens.length;
    return pattern.toMask(this.fovea, { queries: tokens, keys: tokens, heads: 1, batch: 1 }).data;
  }
  #sparse(): Sparse | null {
    const { parts, joint, isPainted, painting } = this.choices;
    const tokens = this.tokens.length;
    if (tokens === 0) return null;
    const painted = isPainted ? painting : null;
    const pattern = painted ? paintedPattern(painted, tokens) : patternOf(parts, joint);
    const seed = painted ? undefined : seedOf(parts);
    const mask = this.#maskOf(pattern);
    return {
      pattern,
      code: painted ? paintedCode(painted, tokens) : patternCode(parts, joint),
      mask,
      kept: mask.reduce((sum, bit) => sum + bit, 0),
      named: {
        text: painted ? local(texts.painted) : pattern.describe(),
        json: pattern.toJSON(),
        ...(seed === undefined ? {} : { seed }),
      },
    };
  }

  exprOf(name: string): Expr | undefined {
    const from = (stage: string): Expr => leaf(stageSource(stageOf(this.trace, stage)));
    if (name === 'dense' || name === 'exact') {
      const isLater = ([query = 0, key = 0]: Index): boolean => key > query;
      return normalized('softmax', this.choices.causal ? leftOut(from('scaled'), isLater) : from('scaled'), '')[0];
    }
    if (name === 'error') return elementwise('subtract', [from('weights'), from('exact')], ([a = NaN, b = NaN]) => a - b);
    return undefined;
  }

  nameOf({ kind, name }: Source): string | undefined {
    return kind === 'stage' && name in texts.names ? local(texts.names[name as keyof typeof texts.names]) : undefined;
  }

  bodyOf(stage: string): string | undefined {
    const { causal, scaled, input } = this.choices;
    const text = input === 'text';
    const isDivided = this.stage('denominator') !== undefined;
    const chosen: Readonly<Record<string, string>> = {
      input: text ? 'vectors' : 'example',
      query: text ? 'queryOfHead' : 'query',
      scaled: scaled ? 'scaled' : text ? 'scaledOne' : 'scaledExample',
      masked: this.sparse ? 'maskedSparse' : 'masked',
      weights: this.sparse ? 'weightsSparse' : this.linear ? 'weightsLinear' : 'weights',
      output: !this.linear ? 'output' : isDivided ? 'outputLinear' : 'outputPlain',
      state: causal ? 'stateCausal' : isDivided ? 'state' : 'statePlain',
    };
    const name = chosen[stage] ?? stage;
    return name in texts.bodies ? local(texts.bodies[name as keyof typeof texts.bodies]) : undefined;
  }

  pictureOf(picture: Picture): Picture {
    const { kind, name } = picture.source;
    const rank = picture.axes.length;
    const axes = picture.axes.map((axis, n): AxisOfPicture => {
      const labels = kind === 'stage' && FEATURE_AXES[name] === rank - n ? this.#featureNames(axis.size) : axis.labels;
      return { ...axis, title: kind === 'stage' ? axis.title : axisWords.feature, labels, ...this.given?.axes.get(labels) };
    });
    return { ...picture, axes, figure: kind === 'stage' ? this.#figureOf(name) : { provenance: this.#provenanceOf(name) } };
  }

  #featureNames(count: number): readonly string[] {
    const components = this.labels['Wk']?.[1] ?? [];
    return featureNames(this.choices.shownMap.map, components, count);
  }

  #figureOf(name: string): Partial<Figure> {
    const { sparse, named } = this;
    return {
      id: name,
      ...(name === 'input' ? { provenance: this.#provenanceOf('X') } : {}),
      ...(name in LETTERS ? { letter: LETTERS[name]! } : {}),
      // A kept pair is drawn lighter than a weight of 1.
      ...(name === 'pattern' ? { colors: 'pairs', limit: 1.6, provenance: this.choices.isPainted ? 'yours' : 'none' } : {}),
      ...(SHARES.includes(name) ? { colors: 'weights', limit: 1, sums: this.#sumsOf(name) } : {}),
      ...(sparse && BY_PATTERN.includes(name) ? { pattern: sparse.named } : {}),
      ...(named && !BY_SOFTMAX.includes(name) ? { features: named } : {}),
    };
  }

  #sumsOf(name: string): string {
    return local(name === 'weights' && this.empty.length > 0 ? texts.sumsOrEmpty : texts.sums);
  }

  #provenanceOf(name: string): Provenance {
    const { input, preset } = this.choices;
    if (input === 'text') return name === 'X' && !preset ? 'yours' : 'designed';
    return this.choices.edited(name as keyof Example) ? 'yours' : 'designed';
  }

  writtenAs(x: number, { name }: Source): string | undefined {
    return name === 'pattern' ? local(x === 0 ? texts.leftOut : texts.kept) : undefined;
  }

  noteOf({ source, axes }: Picture, index: Index): Note | undefined {
    const name = nameOfMatrix(source);
    const [query = 0, key = 0] = index;
    const isKept = this.sparse?.mask[query * this.tokens.length + key] !== 0;
    const inPlace = (kind: string, text: string): Note => ({ kind, inPlace: true, text });
    if (name) {
      const axis = axes.at(-1)?.notes?.[key];
      const from = local(this.#provenanceOf(name) === 'yours' ? texts.givenYours : texts.given);
      return inPlace('given', axis === undefined ? from : `${axis} ${from}`);
    }
    switch (source.name) {
      case 'pattern':
        return inPlace('pattern', local(isKept ? texts.keptPair : texts.leftOutPair));
      case 'masked':
        if (source.data[query * this.tokens.length + key] !== -Infinity) return undefined;
        return inPlace('mask', local(isKept ? texts.later : texts.leftOutPair));
      case 'weights':
        return this.empty.includes(query) && !this.linear ? inPlace('empty', local(texts.emptyQuery)) : undefined;
      case 'similarity':
        return this.choices.causal && key > query ? inPlace('unseen', local(texts.unseen)) : undefined;
      case 'queryFeatures':
      case 'keyFeatures':
        return { kind: 'map', inPlace: false, text: this.#mapNote(source, index) };
      default:
        return undefined;
    }
  }

  /** How φ has made a number, where it made it of the one number in its place. */
  #mapNote({ name, shape, data }: Source, [row = 0, col = 0]: Index): string {
    const { map } = this.choices.shownMap;
    const steps: Readonly<Partial<Record<MapName, Localized<(slots: Slots<'positive'>) => string>>>> = texts.mapSteps;
    const step = steps[map];
    if (!step) return local(texts.mapNotes[map]);
    const place = row * (shape[1] ?? 1) + col;
    const x = this.stage(name === 'queryFeatures' ? 'query' : 'key')?.data[place] ?? NaN;
    return `x = ${short(x)}: ${local(step)({ positive: x > 0 })}; φ(x) = ${short(data[place] ?? NaN)}`;
  }

  editOf(source: Source, [row = 0, col = 0]: Index): ((value: number) => void) | undefined {
    const name = nameOfMatrix(source);
    return name && this.choices.input === 'example' ? (value) => this.choices.edit(name, row, col, value) : undefined;
  }

  paintOf({ name }: Source) {
    if (name !== 'pattern' || !this.choices.isPainted) return undefined;
    return (pairs: readonly { row: number; col: number }[], kept: boolean): void => {
      const { painting } = this.choices;
      if (painting) this.choices.painting = paint(painting, this.tokens.length, pairs, kept);
    };
  }

  /** The number to read first: in a text, of the token that its preset names. */
  first(): Selection | null {
    const { input, preset } = this.choices;
    if (input === 'example') return { key: 'stage.weights', index: [0, 1] };
    const look = this.tokens.map(normalForm).lastIndexOf(preset?.look ?? '');
    return this.lookOf(look < 0 ? this.tokens.length - 1 : look);
  }

  /** The largest weight of a query. */
  lookOf(query: number): Selection | null {
    const weights = this.rowOf('weights', query);
    return weights.length > 0 ? { key: 'stage.weights', index: [query, weights.indexOf(Math.max(...weights))] } : null;
  }

  rowOf(name: string, i: number): readonly number[] {
    const { data = [], shape = [] } = this.stage(name) ?? {};
    const width = shape.length > 1 ? (shape[1] ?? 0) : 1;
    return Array.from(data).slice(i * width, (i + 1) * width);
  }

  queryName(i: number): string {
    return (this.labels['q'] ?? this.labels['X'])?.[0]?.[i] ?? '';
  }

  /** The query whose row a number is in; null for numbers of keys and weight matrices. */
  queryOf(selection: Selection | null): number | null {
    const stage = this.trace.find((one) => keyOf(stageSource(one)) === selection?.key);
    const isOfQuery = stage?.axes[0] === 'query' || stage?.name === 'input';
    return isOfQuery ? (selection?.index[0] ?? null) : null;
  }
}

/** X is an argument and the first stage. */
function nameOfMatrix({ kind, name }: Source): keyof Example | undefined {
  if (kind === 'stage') return name === 'input' ? 'X' : undefined;
  return name as keyof Example;
}

export function stageOf(trace: Trace, name: string): TraceStage {
  const stage = trace.find((one) => one.name === name);
  if (!stage) throw new Error(`the trace has no stage "${name}"`);
  return stage;
}

function givenExample({ example }: Choices): Given {
  const numbered = (letter: string, n: number): string[] => Array.from({ length: n }, (_, i) => letter + subscript(i + 1));
  const counted = (n: number): string[] => Array.from({ length: n }, (_, i) => String(i + 1));
  const tokens = numbered('a', example.X.rows);
  const [axes, components, values] = [example.X.cols, example.Wq.cols, example.Wv.cols].map(counted) as string[][];
  const labels = labelsOf(tokens, axes!, components!, values!);
  return {
    tokens,
    matrices: example,
    labels: { ...labels, q: [numbered('q', tokens.length)], k: [numbered('k', tokens.length)] },
    axes: new Map(),
  };
}

/** The tokens that this screen can draw. */
function givenText({ text, splitting, ends, positions, head: name }: Choices): Given | null {
  const { tokens: all, total } = divide(text, splitting, ends);
  const tokens = all.slice(0, tokensAtOnce());
  if (tokens.length === 0) return null;
  const { X, axes, unlisted } = embed(tokens, positions);
  const { q, k, v } = head(name, axes);
  const [ofWords, ofKeys, ofValues] = [axes, k.components, v.components].map(namesOf) as AxisNames[];
  const withNotes = { ...ofWords!, notes: axes.map(axisNote) };
  return {
    tokens,
    matrices: { X, Wq: q.matrix, Wk: k.matrix, Wv: v.matrix } satisfies Readonly<Record<string, Matrix>>,
    labels: labelsOf(tokens, ofWords!.labels, ofKeys!.labels, ofValues!.labels),
    axes: new Map([withNotes, ofKeys!, ofValues!].map((names) => [names.labels, names])),
    text: { total, unlisted },
  };
}

const labelsOf = (
  tokens: readonly string[],
  axes: readonly string[],
  components: readonly string[],
  values: readonly string[],
): Defaults['labels'] => ({ X: [tokens, axes], Wq: [axes, components], Wk: [axes, components], Wv: [axes, values] });

/** The names of axes as they stand beside a matrix. */
const namesOf = (axes: readonly Axis[]): AxisNames => ({
  labels: axes.map(axisName),
  blocks: blockStarts(axes).map(({ from, kind }) => ({ from, name: local(texts.blocks[kind]) })),
});

function axisName(axis: Axis): string {
  if (axis.kind === 'identity') return axis.word;
  if (axis.kind === 'feature') return local(texts.features[axis.feature]);
  return axis.kind === 'position' ? positionLabel(axis.index) : local(texts.constant);
}

/** The text about the number on an axis of a word's vector. */
const axisNote = (axis: Axis): string =>
  axis.kind === 'constant' ? local(texts.axisNotes.constant) : local(texts.axisNotes[axis.kind])({ name: axisName(axis) });
