import type { Link } from '../../../../figures/figure.ts';
import type { MatrixId, Selection } from '../model/matrices.ts';
import { linksOf } from '../model/matrices.ts';
import type { MapName } from '../model/feature_maps.ts';
import { mapSpec } from '../model/feature_maps.ts';
import type { Sums } from '../model/linear.ts';
import { at } from '../../../../figures/matrix.ts';
import type { Step } from './steps.ts';
import type { Figures } from './walk.ts';
import { productStep, walk } from './walk.ts';

/** The arithmetic of one cell of linear attention, and what it hangs on. */

/** What a walk has to know of linear attention beside its figures. */
export interface LinearPlace {
  readonly map: MapName;
  readonly causal: boolean;
  readonly normalized: boolean;
  /** The token, counted from 0, after which the state is drawn. */
  readonly step: number;
  /** After each token where causal, else one. */
  readonly sums: readonly Sums[];
}

export function walkLinear(figures: Figures, selection: Selection, scale: number, place: LinearPlace): Step[] {
  const { id, row: i, col: j } = selection;
  const { causal, normalized, map, step } = place;
  const value = at(figures[id].matrix, i, j);
  switch (id) {
    case 'queryFeatures':
    case 'keyFeatures': {
      const from = figures[id === 'queryFeatures' ? 'Q' : 'K'].matrix;
      return [{ kind: 'map', map, from: mapSpec(map).elementwise ? at(from, i, j) : null, value }];
    }
    case 'before':
      return step === 0 ? [{ kind: 'start' }] : [seen(id, step)];
    case 'state':
      return [seen(id, step + 1)];
    case 'normalizer': {
      const terms = figures.keyFeatures.rows.labels.map((label, t) => ({ label, value: at(figures.keyFeatures.matrix, t, i) }));
      return [{ kind: 'sum', terms: causal ? terms.slice(0, step + 1) : terms, value }];
    }
    case 'numerator':
    case 'denominator':
      return [read(id)];
    case 'similarity':
      return pair();
    case 'weights':
      return normalized && !(causal && j > i) ? [...pair(), divided('similarity')] : pair();
    case 'output':
      return [read('numerator'), ...(normalized ? [divided('numerator')] : [])];
    case 'error':
      return [{ kind: 'difference', weight: at(figures.weights.matrix, i, j), exact: at(figures.exact.matrix, i, j), value }];
    default:
      return walk(figures, selection, scale);
  }

  /** The product of the first `count` tokens; of all where it is not causal. */
  function seen(which: 'before' | 'state', count: number): Step {
    const product = productStep(figures, which, i, j);
    return causal ? { ...product, terms: product.terms.slice(0, count), variant: 'causal' } : product;
  }

  /** What query i reads: of the state after its own token, whichever is drawn. */
  function read(which: 'numerator' | 'denominator'): Step {
    const sums = place.sums[causal ? i : 0]!;
    const then = {
      ...figures,
      state: { ...figures.state, matrix: sums.state },
      normalizer: { ...figures.normalizer, matrix: sums.normalizer },
    };
    return productStep(then, which, i, j);
  }

  function pair(): Step[] {
    return causal && j > i ? [{ kind: 'unseen' }] : [productStep(figures, 'similarity', i, j)];
  }

  function divided(above: 'similarity' | 'numerator'): Step {
    const [numerator, denominator] = [at(figures[above].matrix, i, j), at(figures.denominator.matrix, i, 0)];
    return { kind: 'divide', of: id, above, numerator, denominator, value };
  }
}

/** As `linksOf`. */
export function linksOfLinear(
  selection: Selection,
  term: number | null,
  { causal, normalized, map, step }: LinearPlace,
): Partial<Record<MatrixId, Link[]>> {
  const { id, row, col } = selection;
  const cell = [{ row, col }];
  const ofRow = normalized ? { denominator: [{ row, col: 0 }] } : {};
  switch (id) {
    case 'queryFeatures':
      return { Q: mapSpec(map).elementwise ? cell : [{ row }] };
    case 'keyFeatures':
      return { K: mapSpec(map).elementwise ? cell : map === 'softmax' ? [{ col }] : [{ row }] };
    case 'state':
      if (!causal || term !== null) return linksOf(selection, term, false);
      // What the last token has added to what was there.
      return { before: cell, keyFeatures: [{ row: step, col: row }], V: [{ row: step, col }] };
    case 'normalizer':
      return { keyFeatures: [causal ? { row: step, col: row } : { col: row }] };
    case 'numerator':
    case 'denominator':
    case 'output': {
      const sums = linksOf({ ...selection, id: id === 'output' ? 'numerator' : id }, term, false);
      // The state that is drawn is the one after another token.
      const { state: _, normalizer: __, ...others } = sums;
      return { ...(causal && row !== step ? others : sums), ...(id === 'output' ? { numerator: cell, ...ofRow } : {}) };
    }
    case 'weights':
      return { ...linksOf({ ...selection, id: 'similarity' }, term, false), similarity: cell, ...ofRow };
    case 'error':
      return { weights: cell, exact: cell };
    default:
      return linksOf(selection, term, causal);
  }
}
