import type { Mechanism } from '../../stages/mechanism.svelte.ts';

/** Luong's three scores by name, each with the table that it needs. */

export const SCORES = ['dot', 'general', 'concat'] as const;
export type ScoreName = (typeof SCORES)[number];

type Table = readonly (readonly number[])[];

/** The number of the dictionary's entries. */
const STRONG = 8;
/** tanh is near 1 for one word of a pair and no more for both: a pair that belongs together makes one unit large, others make two. */
const STEEP = 4;

export const scoreOf = (mechanism: Mechanism): ScoreName => (mechanism.options['score'] ?? 'general') as ScoreName;

/** The dictionary of the defaults, or the same as units of the concat score: va is negative, so two large units score less. */
export function chooseScore(mechanism: Mechanism, score: ScoreName): void {
  const { params, options } = mechanism.sample;
  mechanism.options = { ...options, score };
  const { Wc, Wa } = params as { Wc: Table; Wa: Table };
  if (score === 'dot') mechanism.params = { Wc };
  else if (score === 'general') mechanism.params = params;
  else {
    const pairs = Wa.map((row) => row.indexOf(Math.max(...row)));
    const target = pairs.map((_, n) => pairs.map((_, unit) => (unit === n ? STEEP : 0)));
    const source = pairs.map((_, n) => pairs.map((of) => (of === n ? STEEP : 0)));
    mechanism.replace('params', { Wc, Wa: [...target, ...source], va: pairs.map(() => -STRONG) }, { presetBySwitch: true });
  }
}

/** A table with one cell switched between 0 and the dictionary's number. */
export const withOtherCell = (table: Table, row: number, col: number): number[][] =>
  table.map((numbers, r) => numbers.map((x, c) => (r === row && c === col ? (x === 0 ? STRONG : 0) : x)));
