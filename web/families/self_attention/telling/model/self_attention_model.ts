import type { Fovea, TraceStage } from 'fovea';
import type { Arguments } from 'fovea/catalog';
import { head } from '../../../../text/named_heads.ts';
import type { Call } from './compute.ts';
import { matrixOf, softmaxTrace, stageOf, traceOf } from './compute.ts';
import type { FigureAxis, Provenance } from '../../../../figures/figure.ts';
import type { Figure, Figures, MatrixId } from './matrices.ts';
import { MATRICES } from './matrices.ts';
import { subscript } from '../../../../figures/format.ts';
import type { RoomMessages } from '../messages/en.ts';
import type { Matrix } from '../../../../figures/matrix.ts';
import { extent, nested } from '../../../../figures/matrix.ts';
import { axisName, axisNote } from './names.ts';
import { tokensAtOnce } from '../../../../text/at_once.ts';
import { divide } from '../../../../text/division.ts';
import type { Axis, Embedding } from '../../../../text/vectors.ts';
import { blockStarts, embed } from '../../../../text/vectors.ts';
import type { SelfAttentionState } from '../state/self_attention.svelte.ts';
import type { LinearModel, MakeFigure } from './self_attention_linear.ts';
import { linearCall, linearFigures, linearModel } from './self_attention_linear.ts';
import type { SparseModel } from './self_attention_sparse.ts';
import { allPairs, emptyQueries, sparseModel } from './self_attention_sparse.ts';

/** What the room shows for its state: all figures of one computation. */
export interface Model {
  readonly inputs: Arguments;
  readonly params: Arguments;
  readonly call: Call;
  readonly trace: readonly TraceStage[];
  readonly figures: Figures;
  readonly formulas: Readonly<Partial<Record<MatrixId, string>>>;
  /** How the tokens are called in sentences: words, or a₁ a₂ a₃. */
  readonly tokens: readonly string[];
  readonly scale: number;
  readonly width: number;
  /** The pattern of sparse attention; null for others, as linear is for what is not linear attention. */
  readonly sparse: SparseModel | null;
  readonly linear: LinearModel | null;
  /** Queries that keep no key. */
  readonly empty: readonly number[];
  /** Only for typed text. */
  readonly text?: { readonly embedding: Embedding; readonly total: number };
}

export function exampleModel(fovea: Fovea, state: SelfAttentionState, t: RoomMessages): Model {
  const { example } = state;
  const width = example.Wq.cols;
  const scale = state.scaled ? 1 / Math.sqrt(width) : 1;
  const runs = compute(fovea, state, example, t);
  const numbered = (letter: string, n: number): string[] => Array.from({ length: n }, (_, i) => letter + subscript(i + 1));
  const tokens = numbered('a', example.X.rows);
  const weightsFrom = (name: 'X' | 'Wq' | 'Wk' | 'Wv'): Provenance => (state.edited(name) ? 'yours' : 'designed');
  const anyEdited = (['X', 'Wq', 'Wk', 'Wv'] as const).some((name) => state.edited(name));
  return {
    tokens,
    scale,
    width,
    ...outcome(runs),
    figures: figures(t, runs, {
      tokens: {
        x: tokens,
        q: numbered('q', tokens.length),
        k: numbered('k', tokens.length),
        v: numbered('v', tokens.length),
        out: numbered('b', tokens.length),
      },
      axes: { labels: counted(example.X.cols) },
      qk: { labels: counted(width) },
      v: { labels: counted(example.Wv.cols) },
      provenance: (id) =>
        id === 'X' || id === 'Wq' || id === 'Wk' || id === 'Wv' ? weightsFrom(id) : anyEdited ? 'yours' : 'designed',
      editable: true,
    }),
  };
}

/** The model of as many tokens as this screen draws. Null for a text without tokens. */
export function textModel(fovea: Fovea, state: SelfAttentionState, t: RoomMessages): Model | null {
  const { tokens: all, total } = divide(state.text, state.splitting, state.ends);
  const tokens = all.slice(0, tokensAtOnce());
  if (tokens.length === 0) return null;
  const embedding = embed(tokens, state.positions);
  const { q, k, v } = head(state.head, embedding.axes);
  const width = q.matrix.cols;
  const scale = state.scaled ? 1 / Math.sqrt(width) : 1;
  const inputs = { X: embedding.X, Wq: q.matrix, Wk: k.matrix, Wv: v.matrix };
  const runs = compute(fovea, state, inputs, t);
  return {
    tokens,
    scale,
    width,
    ...outcome(runs),
    text: { embedding, total },
    figures: figures(t, runs, {
      tokens: { x: tokens, q: tokens, k: tokens, v: tokens, out: tokens },
      axes: { ...named(embedding.axes, t), notes: embedding.axes.map((axis) => axisNote(axis, t)) },
      qk: named(k.components, t),
      v: named(v.components, t),
      provenance: (id) => (id === 'X' && !state.preset ? 'yours' : 'designed'),
      editable: false,
    }),
  };
}

interface Naming {
  readonly tokens: {
    x: readonly string[];
    q: readonly string[];
    k: readonly string[];
    v: readonly string[];
    out: readonly string[];
  };
  readonly axes: Omit<FigureAxis, 'title'>;
  readonly qk: Omit<FigureAxis, 'title'>;
  readonly v: Omit<FigureAxis, 'title'>;
  readonly provenance: (id: MatrixId) => Provenance;
  readonly editable: boolean;
}

type Inputs = Record<'X' | 'Wq' | 'Wk' | 'Wv', Matrix>;

type Stage = 'X' | 'Q' | 'K' | 'V' | 'scores' | 'scaled' | 'masked' | 'weights' | 'output';

interface Runs {
  readonly inputs: Inputs;
  readonly call: Call;
  readonly trace: readonly TraceStage[];
  readonly stages: Readonly<Record<Stage, Matrix>>;
  /** The weights without the pattern, and without linear attention. */
  readonly dense: Matrix;
  readonly sparse: SparseModel | null;
  readonly linear: LinearModel | null;
}

function compute(fovea: Fovea, state: SelfAttentionState, inputs: Inputs, t: RoomMessages): Runs {
  const sparse = state.kind === 'sparse' ? sparseModel(fovea, state.pattern, inputs.X.rows, t) : null;
  const options = linearCall(state);
  const call: Call = { scaled: state.scaled, causal: state.causal, sparse, linear: options };
  const { X, ...params } = argumentsOf(inputs);
  const trace = traceOf(fovea, { X }, params, call);
  const dense = sparse || options ? softmaxTrace(fovea, { X }, params, call, null) : trace;
  const stage = (name: string): Matrix => matrixOf(stageOf(trace, name));
  return {
    inputs,
    call,
    trace,
    stages: {
      X: inputs.X,
      Q: stage('query'),
      K: stage('key'),
      V: stage('value'),
      scores: stage('scores'),
      scaled: stage('scaled'),
      // Without a mask or a pattern the trace has no such stage: softmax takes the scaled scores.
      masked: matrixOf(stageOf(sparse ? trace : dense, state.causal || sparse ? 'masked' : 'scaled')),
      weights: stage('weights'),
      output: stage('output'),
    },
    dense: matrixOf(stageOf(dense, 'weights')),
    sparse,
    linear: options && linearModel(state, trace, dense, options, t),
  };
}

/** Nested lists, which the package and the story take. */
const argumentsOf = ({ X, Wq, Wk, Wv }: Inputs) => ({ X: nested(X), Wq: nested(Wq), Wk: nested(Wk), Wv: nested(Wv) });

function outcome({ inputs, call, trace, stages, sparse, linear }: Runs) {
  const { X, ...params } = argumentsOf(inputs);
  const formulas = Object.fromEntries(trace.map(({ name, formula }) => [pictureIdOf(name), formula]));
  return { inputs: { X }, params, call, trace, sparse, linear, empty: emptyQueries(stages.masked), formulas };
}

/** Pictures of stages that have another name than theirs. */
const RENAMED: Readonly<Record<string, MatrixId>> = { query: 'Q', key: 'K', value: 'V' };
/** The picture of a stage. */
export const pictureIdOf = (stage: string): MatrixId | undefined => RENAMED[stage] ?? MATRICES.find((id) => id === stage);

const COLORS: Partial<Record<MatrixId, Figure['colors']>> = {
  pattern: 'pairs',
  weights: 'weights',
  dense: 'weights',
  exact: 'weights',
};

/** The ends of the color scales that are not the largest number's. A kept pair is drawn lighter than a weight of 1. */
const LIMITS: Partial<Record<MatrixId, number>> = { pattern: 1.6, weights: 1, dense: 1, exact: 1 };

/** What a pattern has changed. */
const BY_PATTERN: readonly MatrixId[] = ['pattern', 'masked', 'weights', 'output'];

function figures(t: RoomMessages, { inputs, stages, dense, sparse, linear }: Runs, naming: Naming): Figures {
  const { tokens, axes } = naming;
  const title = t.axisTitles;
  const inputAxis: FigureAxis = { title: title.axis, ...axes };
  const query: FigureAxis = { title: title.query, labels: tokens.q };
  const key: FigureAxis = { title: title.key, labels: tokens.k };
  const component: FigureAxis = { title: title.component, ...naming.qk };
  const valueComponent: FigureAxis = { title: title.component, ...naming.v };
  const figure: MakeFigure = (id, letter, matrix, rows, cols, role, sub) => ({
    id,
    letter,
    ...(sub === undefined ? {} : { sub }),
    matrix,
    rows,
    cols,
    role,
    colors: COLORS[id] ?? 'signed',
    limit: LIMITS[id] ?? extent(matrix),
    provenance: id === 'pattern' && sparse ? sparse.provenance : naming.provenance(id),
    editable: naming.editable && id in inputs,
    ...(sparse && BY_PATTERN.includes(id) ? { pattern: sparse.named } : {}),
  });
  const weights = (id: 'weights' | 'dense' | 'exact', matrix: Matrix): Figure => ({
    ...figure(id, 'A', matrix, query, key, 'query'),
    sums: id === 'weights' && emptyQueries(stages.masked).length > 0 ? t.pattern.sumsMark : t.sumsMark,
  });
  const exact = weights('exact', dense);
  return {
    X: figure('X', 'X', stages.X, { title: title.token, labels: tokens.x }, inputAxis, 'plain'),
    Wq: figure('Wq', 'W', inputs.Wq, inputAxis, component, 'query', 'q'),
    Wk: figure('Wk', 'W', inputs.Wk, inputAxis, component, 'key', 'k'),
    Wv: figure('Wv', 'W', inputs.Wv, inputAxis, valueComponent, 'value', 'v'),
    Q: figure('Q', 'Q', stages.Q, query, component, 'query'),
    K: figure('K', 'K', stages.K, key, component, 'key'),
    V: figure('V', 'V', stages.V, { title: title.value, labels: tokens.v }, valueComponent, 'value'),
    scores: figure('scores', 'S', stages.scores, query, key, 'plain'),
    scaled: figure('scaled', 'Z', stages.scaled, query, key, 'plain'),
    masked: figure('masked', 'L', stages.masked, query, key, 'plain'),
    pattern: figure('pattern', 'P', sparse?.mask ?? allPairs(tokens.q.length), query, key, 'plain'),
    weights: linear
      ? approximate(linear, figure('weights', 'A', linear.run.weights, query, key, 'query'), t)
      : weights('weights', stages.weights),
    dense: weights('dense', dense),
    output: {
      ...figure('output', 'O', stages.output, { title: title.query, labels: tokens.out }, valueComponent, 'plain'),
      ...(linear ? { features: linear.named } : {}),
    },
    ...linearFigures(figure, linear, exact, { query, key, component, valueComponent }, t),
  };
}

/** The weights that linear attention stands for: no softmax has made them. */
function approximate({ zero, named: features }: LinearModel, figure: Figure, t: RoomMessages): Figure {
  return { ...figure, features, sums: zero.length > 0 ? t.pattern.sumsMark : t.sumsMark };
}

function named(axes: readonly Axis[], t: RoomMessages): Omit<FigureAxis, 'title'> {
  return {
    labels: axes.map((axis) => axisName(axis, t)),
    blocks: blockStarts(axes).map(({ from, kind }) => ({ from, name: t.blocks[kind] })),
  };
}

function counted(n: number): string[] {
  return Array.from({ length: n }, (_, i) => String(i + 1));
}
