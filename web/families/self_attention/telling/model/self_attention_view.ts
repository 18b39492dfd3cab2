import type { Snippet } from 'svelte';
import type { MatrixId, Selection } from './matrices.ts';
import { full, short, weight } from '../../../../figures/format.ts';
import type { RoomMessages } from '../messages/en.ts';
import { at, row } from '../../../../figures/matrix.ts';
import { paint } from '../../../../patterns/painting.ts';
import { plain } from '../../../../shell/gloss.ts';
import { normalForm } from '../../../../text/tokens.ts';
import type { RoomView } from './view.ts';
import type { TraceView } from '../../../../stages/trace_view.svelte.ts';
import { linksInRoom } from './told.ts';
import type { SelfAttentionState } from '../state/self_attention.svelte.ts';
import type { LinearModel } from './self_attention_linear.ts';
import type { Model } from './self_attention_model.ts';

const PAIRS: readonly MatrixId[] = ['scores', 'scaled', 'masked', 'weights', 'dense', 'similarity', 'exact', 'error'];

/** The chosen cell, moved inside where the text has become shorter; for a new text, a row worth reading. */
export function fittingSelection(model: Model, state: SelfAttentionState): Selection {
  const chosen = state.chosen;
  if (!chosen) return firstLook(model, state);
  const id = drawn(chosen.id, model, state);
  const { rows, cols } = model.figures[id].matrix;
  return { id, row: Math.min(chosen.row, rows - 1), col: Math.min(chosen.col, cols - 1) };
}

/** Where a picture is not drawn, the one that is most like it. */
function drawn(id: MatrixId, { sparse, linear }: Model, { causal }: SelfAttentionState): MatrixId {
  if (linear) return drawnLinear(id, linear);
  const likest = WITHOUT_FEATURES[id];
  if (likest) return likest;
  if (sparse) return id;
  if (id === 'dense') return 'weights';
  if (id === 'pattern' || (id === 'masked' && !causal)) return causal ? 'masked' : 'scaled';
  return id;
}

/** What is most like a picture of linear attention where there is none. */
const WITHOUT_FEATURES: Partial<Record<MatrixId, MatrixId>> = {
  queryFeatures: 'Q',
  keyFeatures: 'K',
  before: 'V',
  state: 'V',
  normalizer: 'V',
  numerator: 'output',
  denominator: 'output',
  similarity: 'scores',
  exact: 'weights',
  error: 'weights',
};

function drawnLinear(id: MatrixId, { causal, normalized }: LinearModel): MatrixId {
  if (id === 'scores' || id === 'scaled' || id === 'masked') return 'similarity';
  if (id === 'dense') return 'exact';
  if (id === 'pattern') return 'weights';
  if (id === 'before' && !causal) return 'state';
  if (!normalized && id === 'normalizer') return 'state';
  if (!normalized && id === 'denominator') return 'numerator';
  return id;
}

function firstLook({ tokens, figures }: Model, { preset }: SelfAttentionState): Selection {
  const look = tokens.map(normalForm).lastIndexOf(preset?.look ?? '');
  const query = look < 0 ? tokens.length - 1 : look;
  const weights = row(figures.weights.matrix, query);
  return { id: 'weights', row: query, col: weights.indexOf(Math.max(...weights)) };
}

const READING: readonly MatrixId[] = ['numerator', 'denominator'];

interface ViewParts {
  readonly model: Model;
  readonly state: SelfAttentionState;
  readonly story: TraceView;
  readonly selection: Selection | null;
  readonly columns: boolean;
  readonly t: RoomMessages;
  readonly formula: Snippet<[name: string]>;
}

export function createView({ model, state, story, selection, columns, t, formula }: ViewParts): RoomView {
  const { figures } = model;
  // A sentence's weights are read in two decimals, the worked example's in the four that its text prints.
  const digits = model.text ? 2 : 4;
  const brief = (value: number, id: MatrixId): string => (isWeight(id) ? weight(value, digits) : short(value, digits));
  return {
    figures,
    columns,
    digits,
    selection,
    links: linksInRoom(story.cells, model),
    nameOf: (id) => t.matrices[id],
    formula,
    gazing: state.gazing || state.pointed !== null,
    number: (value, id) => {
      if (id === 'pattern') return value === 0 ? t.pattern.leftOut : t.pattern.kept;
      return state.allDigits ? full(value) : isWeight(id) ? weight(value, 4) : short(value, 4);
    },
    reading: ({ id, row: i, col: j }) => {
      const { rows, cols, matrix, letter, sub } = figures[id];
      const value = state.allDigits ? full(at(matrix, i, j)) : brief(at(matrix, i, j), id);
      const [from, to] = [rows.labels[i] ?? '', cols.labels[j] ?? ''];
      if (id === 'pattern') return t.pattern.reading(from, to, at(matrix, i, j) !== 0);
      if (PAIRS.includes(id)) return t.pairReading(from, to, t.matrices[id], value);
      return t.cellReading(
        `${t.matrices[id]} ${letter}${sub ?? ''}`,
        `${plain(rows.title)} ${from}`,
        `${plain(cols.title)} ${to}`,
        value,
      );
    },
    gaze: (gazing) => {
      state.gazing = gazing;
    },
    point: (cell) => {
      state.pointed = cell;
    },
    choose: (cell) => {
      // The state that a query reads is the one after its own token.
      if (model.linear?.causal && READING.includes(cell.id)) state.linear.after = cell.row;
      state.pointed = null;
      state.chosen = cell;
    },
    paintOf: (id) => {
      if (id !== 'pattern' || !model.sparse || state.pattern.way !== 'paint') return null;
      return (cells, kept) => {
        const { painting } = state.pattern;
        if (painting) state.pattern.painting = paint(painting, model.tokens.length, cells, kept);
      };
    },
    edit: (cell, value) => state.edit(cell, value),
  };
}

const isWeight = (id: MatrixId): boolean => id === 'weights' || id === 'dense' || id === 'exact';
