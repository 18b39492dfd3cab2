import type { Fovea } from 'fovea';
import type { Link } from '../../../../figures/figure.ts';
import { at } from '../../../../figures/matrix.ts';
import type { Cell } from '../../../../stages/arithmetic/explain.ts';
import type { Expr, Index, Source } from '../../../../stages/arithmetic/expr.ts';
import { elementwise, leaf, view } from '../../../../stages/arithmetic/expr.ts';
import { leftOut, normalized } from '../../../../stages/arithmetic/lines.ts';
import { stageSource } from '../../../../stages/arithmetic/sources.ts';
import type { AxisOfPicture, Picture } from '../../../../stages/pictures.ts';
import { keyOf } from '../../../../stages/pictures.ts';
import type { Selection as StorySelection } from '../../../../stages/trace_view.svelte.ts';
import { linksOf } from '../../../../stages/trace_view.svelte.ts';
import type { Note, Told } from '../../../../stages/told.ts';
import { short } from '../../../../figures/format.ts';
import type { RoomMessages } from '../messages/en.ts';
import type { SelfAttentionState } from '../state/self_attention.svelte.ts';
import { traceOf } from './compute.ts';
import { mapSpec } from './feature_maps.ts';
import type { MatrixId, Selection } from './matrices.ts';
import type { Model } from './self_attention_model.ts';
import { pictureIdOf } from './self_attention_model.ts';

/** The room as a story: its arithmetic is that of every mechanism. */

const ARGUMENTS: Readonly<Partial<Record<MatrixId, string>>> = {
  X: 'inputs.X',
  Wq: 'params.Wq',
  Wk: 'params.Wk',
  Wv: 'params.Wv',
};
const STAGES: Readonly<Partial<Record<MatrixId, string>>> = { Q: 'query', K: 'key', V: 'value' };
const keyOfPicture = (id: MatrixId): string => ARGUMENTS[id] ?? `stage.${STAGES[id] ?? id}`;
const idOfSource = ({ kind, name }: Pick<Source, 'kind' | 'name'>): MatrixId | undefined =>
  kind === 'stage' ? pictureIdOf(name) : kind === 'options' ? undefined : (name as MatrixId);

/** Lists: their pictures have one column. */
const LISTS: readonly MatrixId[] = ['normalizer', 'denominator'];

/** A cell of a picture as a number of the story. The state that is drawn is one of several where it is causal. */
export function inStory({ id, row, col }: Selection, { linear }: Model): StorySelection {
  const inner = LISTS.includes(id) ? [row] : [row, col];
  const isOne = linear?.causal && (id === 'state' || id === 'normalizer');
  return { key: keyOfPicture(id), index: isOne ? [linear.step, ...inner] : inner };
}

/** The cell of the room that a number of the story is; null where no picture shows it. */
function inRoom(
  { source, index }: { readonly source: Pick<Source, 'kind' | 'name'>; readonly index: Index },
  { linear }: Model,
): Selection | null {
  const id = idOfSource(source);
  if (!id) return null;
  if (!linear?.causal || (id !== 'state' && id !== 'normalizer')) return { id, row: index[0] ?? 0, col: index[1] ?? 0 };
  const [step = 0, row = 0, col = 0] = index;
  if (step === linear.step) return { id, row, col };
  return id === 'state' && step === linear.step - 1 ? { id: 'before', row, col } : null;
}

/** The picture's cell that a number of the story is. */
export function cellInRoom({ key, index }: StorySelection, model: Model): Selection | null {
  const [kind = '', name = ''] = key.split('.');
  return inRoom({ source: { kind: kind as Source['kind'], name }, index }, model);
}

/** The cells of each picture that take part in the chosen number. */
export function linksInRoom(cells: readonly Cell[], model: Model): Partial<Record<MatrixId, readonly Link[]>> {
  const byId = new Map<MatrixId, Selection[]>();
  for (const cell of cells) {
    const place = inRoom(cell, model);
    if (place) byId.set(place.id, [...(byId.get(place.id) ?? []), place]);
  }
  return Object.fromEntries(
    [...byId].map(([id, places]) => {
      const { rows, cols } = model.figures[id].matrix;
      return [
        id,
        linksOf(
          places.map(({ row, col }) => ({ row, col })),
          rows,
          cols,
        ),
      ];
    }),
  );
}

export function toldOf(fovea: Fovea, model: Model, state: SelfAttentionState, t: RoomMessages): Told {
  const { figures, call, linear, sparse, inputs, params } = model;
  const before = linear?.causal ? beforeOf(model) : null;
  const trace = before ? [...model.trace, before] : model.trace;
  const source = (name: string): Source => stageSource(trace.find((stage) => stage.name === name)!);

  return {
    id: 'self_attention',
    trace,
    inputs,
    params,
    options: {},
    labels: {},
    provenance: 'designed',
    traceOf: (inputs, params) => {
      const other = traceOf(fovea, inputs, params, call);
      return before ? [...other, before] : other;
    },
    exprOf: (name): Expr | undefined => {
      if (name === 'dense' || name === 'exact') {
        const scaled = leaf(source('scaled'));
        return normalized('softmax', call.causal ? leftOut(scaled, isLater) : scaled, '')[0];
      }
      if (name === 'error')
        return elementwise('subtract', [leaf(source('weights')), leaf(source('exact'))], ([a = NaN, b = NaN]) => a - b);
      // The state before the first token comes from nothing, and is told in words.
      return name === 'before' && linear && linear.step > 0
        ? view(leaf(source('state')), source('before').shape, (index) => [linear.step - 1, ...index])
        : undefined;
    },
    pictureOf: (of): Picture | undefined => {
      const id = idOfSource(of);
      if (!id) return undefined;
      const { rows, cols, colors, limit, matrix } = figures[id];
      const [down, across]: AxisOfPicture[] = [
        { title: same(rows.title), size: matrix.rows, labels: rows.labels },
        { title: same(cols.title), size: matrix.cols, labels: cols.labels },
      ] as const;
      const tokens = { title: same(t.axisTitles.token), size: model.tokens.length, labels: model.tokens };
      const inner = LISTS.includes(id) ? [down!] : [down!, across!];
      const axes = of.shape.length > inner.length ? [tokens, ...inner] : inner;
      return { key: keyOf(of), source: of, axes, isDistribution: colors === 'weights', limit };
    },
    writtenAs: (x, of) => (keyOf(of) === 'stage.pattern' ? (x === 0 ? t.pattern.leftOut : t.pattern.kept) : undefined),
    noteOf,
    editOf: (of, [row = 0, col = 0]) => {
      const id = idOfSource(of);
      return id && figures[id].editable ? (value) => state.edit({ id, row, col }, value) : undefined;
    },
  };

  function noteOf({ source }: Picture, index: Index): Note | undefined {
    const id = idOfSource(source);
    const [row = 0, col = 0] = index;
    if (!id) return undefined;
    const isKept = !sparse || at(sparse.mask, row, col) !== 0;
    switch (id) {
      case 'X':
      case 'Wq':
      case 'Wk':
      case 'Wv': {
        const axis = id === 'X' ? figures.X.cols.notes?.[col] : undefined;
        const from = figures[id].provenance === 'yours' ? t.givenYours : t.givenHand;
        return { kind: 'given', inPlace: true, text: axis === undefined ? from : `${axis} ${from}` };
      }
      case 'pattern':
        return { kind: 'pattern', inPlace: true, text: isKept ? t.pattern.keptStep : t.pattern.leftOutStep };
      case 'masked':
        if (at(figures.masked.matrix, row, col) !== -Infinity) return undefined;
        return { kind: 'mask', inPlace: true, text: isKept ? t.maskStepBody : t.pattern.leftOutStep };
      case 'weights':
        return model.empty.includes(row) && !linear ? { kind: 'empty', inPlace: true, text: t.pattern.emptyStep } : undefined;
      case 'similarity':
        return linear?.causal && col > row ? { kind: 'unseen', inPlace: true, text: t.linear.unseenStep } : undefined;
      case 'before':
        return linear?.step === 0 ? { kind: 'start', inPlace: true, text: t.linear.startStep } : undefined;
      case 'queryFeatures':
      case 'keyFeatures':
        return linear ? { kind: 'map', inPlace: false, text: mapNote(id, row, col) } : undefined;
      default:
        return undefined;
    }
  }

  /** How φ has made a number, where it made it of the one number in its place. */
  function mapNote(id: 'queryFeatures' | 'keyFeatures', row: number, col: number): string {
    const { map } = linear!;
    if (!mapSpec(map).elementwise) return t.linear.notes[map];
    const x = at(figures[id === 'queryFeatures' ? 'Q' : 'K'].matrix, row, col);
    return `x = ${short(x)}: ${t.linear.mapSteps[map]?.(x)}; φ(x) = ${short(at(figures[id].matrix, row, col))}`;
  }
}

/** Whether a pair's key comes later than its query. */
const isLater = (index: Index): boolean => (index[1] ?? 0) > (index[0] ?? 0);

/** Titles of the room are in the page's language already, their glosses with them. */
const same = (text: string) => ({ en: text, zh: text });

/** The state that the token of the drawn one meets. */
function beforeOf({ trace, figures }: Model) {
  const { matrix } = figures.before;
  const { axes } = trace.find(({ name }) => name === 'state')!;
  return {
    name: 'before',
    axes: axes.slice(1),
    shape: [matrix.rows, matrix.cols],
    formula: '',
    data: Float32Array.from(matrix.data),
  };
}
