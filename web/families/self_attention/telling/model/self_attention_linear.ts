import type { TraceStage } from 'fovea';
import type { LinearOptions } from 'fovea/linear-attention';
import { matrixOf, stageOf } from './compute.ts';
import type { ChosenMap, MapName } from './feature_maps.ts';
import { linearOptions, linearOptionsCode, mapSpec } from './feature_maps.ts';
import type { FigureAxis, FigureFeatures, Role } from '../../../../figures/figure.ts';
import type { Figure, LinearId, MatrixId } from './matrices.ts';
import { subscript } from '../../../../figures/format.ts';
import type { RoomMessages } from '../messages/en.ts';
import type { Distance } from '../../../../figures/distance.ts';
import { difference, distance } from '../../../../figures/distance.ts';
import type { Cost, LinearRun } from './linear.ts';
import { costOf, linearRun } from './linear.ts';
import type { Matrix } from '../../../../figures/matrix.ts';
import { zeros } from '../../../../figures/matrix.ts';
import type { SelfAttentionState } from '../state/self_attention.svelte.ts';

/** Linear attention on the queries, keys and values of the room, beside the softmax attention that it stands in for. */
export interface LinearModel {
  readonly run: LinearRun;
  readonly chosen: ChosenMap;
  readonly map: MapName;
  readonly causal: boolean;
  readonly normalized: boolean;
  /** The token, counted from 0, after which the state is drawn. */
  readonly step: number;
  /** Its options, as code. */
  readonly code: string;
  readonly named: FigureFeatures;
  /** Of the weights and of the output. */
  readonly errors: { readonly weights: Distance; readonly output: Distance };
  readonly cost: Cost;
  /** Queries whose similarities are all 0: nothing to share out. */
  readonly zero: readonly number[];
}

/** How linear attention is called; null where the room shows another attention. */
export function linearCall({ kind, causal, scaled, linear }: SelfAttentionState): LinearOptions | null {
  return kind === 'linear' ? linearOptions(linear.shown(causal), scaled, causal) : null;
}

export function linearModel(
  state: SelfAttentionState,
  trace: readonly TraceStage[],
  dense: readonly TraceStage[],
  options: LinearOptions,
  t: RoomMessages,
): LinearModel {
  const { causal } = state;
  const chosen = state.linear.shown(causal);
  const run = linearRun(trace);
  const [query, value] = [matrixOf(stageOf(trace, 'query')), matrixOf(stageOf(trace, 'value'))];
  const tokens = query.rows;
  const features = run.queryFeatures.cols;
  const sizes = { tokens, width: query.cols, valueWidth: value.cols, features };
  const exact = (name: string): Matrix => matrixOf(stageOf(dense, name));
  return {
    run,
    chosen,
    map: chosen.map,
    causal,
    normalized: run.normalized,
    step: Math.min(state.linear.after ?? tokens - 1, tokens - 1),
    code: linearOptionsCode(options),
    named: { text: t.linear.maps[chosen.map], count: features, ...(chosen.map === 'favor' ? { seed: chosen.seed } : {}) },
    errors: { weights: distance(run.weights, exact('weights')), output: distance(run.output, exact('output')) },
    cost: costOf({ ...sizes, normalized: run.normalized, causal }),
    zero: Array.from(run.denominator.data).flatMap((d, i) => (d === 0 ? [i] : [])),
  };
}

export type MakeFigure = (
  id: MatrixId,
  letter: string,
  matrix: Matrix,
  rows: FigureAxis,
  cols: FigureAxis,
  role: Role,
  sub?: string,
) => Figure;

interface Axes {
  readonly query: FigureAxis;
  readonly key: FigureAxis;
  readonly component: FigureAxis;
  readonly valueComponent: FigureAxis;
}

const NOTHING = zeros(0, 0);

/** Linear attention's pictures; without a model, in the other kinds of attention, they are empty and nothing draws them. */
export function linearFigures(
  make: MakeFigure,
  linear: LinearModel | null,
  exact: Figure,
  axes: Axes,
  t: RoomMessages,
): Record<LinearId, Figure> {
  const { query, key, valueComponent } = axes;
  const feature = linear ? featureAxis(linear, axes.component, t) : axes.component;
  const single: FigureAxis = { title: t.linear.sumAxis, labels: ['Σ'] };
  const run = linear?.run;
  const sums = run?.sums[linear?.causal ? linear.step : 0];
  const earlier = linear && linear.step > 0 ? run?.sums[linear.step - 1]?.state : null;
  const named = (figure: Figure, symbol?: string): Figure => ({
    ...figure,
    ...(linear ? { features: linear.named } : {}),
    ...(symbol ? { symbol } : {}),
  });
  const after = linear?.causal ? '.causal' : '';
  const state = sums?.state ?? NOTHING;
  return {
    queryFeatures: named(make('queryFeatures', 'φ(Q)', run?.queryFeatures ?? NOTHING, query, feature, 'query')),
    keyFeatures: named(make('keyFeatures', 'φ(K)', run?.keyFeatures ?? NOTHING, key, feature, 'key')),
    before: named(
      make(
        'before',
        'S',
        earlier ?? zeros(state.rows, state.cols),
        feature,
        valueComponent,
        'plain',
        subscript(linear?.step ?? 0),
      ),
    ),
    state: named(make('state', 'S', state, feature, valueComponent, 'plain'), `state${after}`),
    normalizer: {
      ...named(make('normalizer', 'z', sums?.normalizer ?? NOTHING, feature, single, 'plain'), `normalizer${after}`),
      vector: true,
    },
    numerator: named(make('numerator', 'N', run?.numerator ?? NOTHING, query, valueComponent, 'plain')),
    denominator: { ...named(make('denominator', 'd', run?.denominator ?? NOTHING, query, single, 'plain')), vector: true },
    similarity: named(make('similarity', 'P', run?.similarity ?? NOTHING, query, key, 'plain')),
    exact: { ...exact, id: 'exact' },
    error: named(make('error', 'E', run ? difference(run.weights, exact.matrix) : NOTHING, query, key, 'plain')),
  };
}

/** What the columns of φ are: the components themselves, products of them, or random directions. */
function featureAxis({ map, run }: LinearModel, component: FigureAxis, t: RoomMessages): FigureAxis {
  const title = t.linear.axis;
  const numbers = (letter: string, n: number): string[] => Array.from({ length: n }, (_, i) => letter + subscript(i + 1));
  if (map === 'favor') return { title, labels: numbers('w', run.queryFeatures.cols) };
  if (mapSpec(map).elementwise || map === 'softmax') return { ...component, title };
  const names = numbers('x', component.labels.length);
  return { title, labels: ['1', ...names, ...names.flatMap((a) => names.map((b) => a + b))] };
}
