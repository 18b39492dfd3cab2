/** How axes and provenances are called, in the words of the glossary. */
import type { TraceAxis } from 'fovea';
import type { Provenance } from 'fovea/catalog';
import * as texts from '../../build/generated/texts/axes.ts';
import { fill, type Localized } from '../shell/localized.ts';

export const axisWords: Readonly<Record<TraceAxis, Localized>> = texts.axes;

/** Rows of values, where they are numbered as values. */
export const valueAxis: Localized = texts.value;

/** Inputs and params have no names of their axes: rows and columns of their last two. */
export function argumentAxis(axis: number, rank: number): Localized {
  if (axis === rank - 1) return rank === 1 ? texts.entry : axisWords.column;
  return axis === rank - 2 ? axisWords.row : fill(texts.axis, { n: axis + 1 });
}

export const provenances: Readonly<Record<Provenance, Localized>> = texts.provenances;
