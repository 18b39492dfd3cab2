/** The document of hierarchical attention as words, and back. */
import type { Mechanism } from '../../stages/mechanism.svelte.ts';

export type Vectors = readonly (readonly (readonly number[])[])[];

const MOODS: Readonly<Record<string, string>> = {
  great: 'positive',
  good: 'positive',
  awful: 'negative',
  dull: 'negative',
};
const isMood = (axis: string): boolean => Object.values(MOODS).includes(axis);

const axesOf = ({ sample }: Mechanism): readonly string[] => sample.labels['words']![2]!;

/** The words that have an axis: those that may stand in the document. */
export const vocabularyOf = (mechanism: Mechanism): string[] => axesOf(mechanism).filter((axis) => !isMood(axis));

export function sentencesOf(mechanism: Mechanism): string[][] {
  const axes = axesOf(mechanism);
  return (mechanism.inputs['words'] as Vectors).map((words) => words.map((vector) => axes[vector.indexOf(1)] ?? ''));
}

/** The document with one word in place of another. */
export function replaceWord(mechanism: Mechanism, sentence: number, place: number, word: string): void {
  const vector = axesOf(mechanism).map((axis) => Number(axis === word || axis === MOODS[word]));
  const words = (mechanism.inputs['words'] as Vectors).map((vectors, s) =>
    vectors.map((old, t) => (s === sentence && t === place ? vector : old)),
  );
  mechanism.change('inputs', { words });
}
