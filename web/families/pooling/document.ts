/** The document of hierarchical attention as words, and back. */
import type { Mechanism } from '../../stages/mechanism.svelte.ts';

export type Vectors = readonly (readonly (readonly number[])[])[];

/** The last two axes: positive and negative. */
const MOODS: readonly (readonly string[])[] = [
  ['great', 'good', '棒', '好'],
  ['awful', 'dull', '差', '坏'],
];

const axesOf = ({ sample }: Mechanism): readonly string[] => sample.labels['words']![2]!;

/** The words that have an axis: those that may stand in the document. */
export const vocabularyOf = (mechanism: Mechanism): string[] => [...axesOf(mechanism).slice(0, -MOODS.length)];

export function sentencesOf(mechanism: Mechanism): string[][] {
  const axes = axesOf(mechanism);
  return (mechanism.inputs['words'] as Vectors).map((words) => words.map((vector) => axes[vector.indexOf(1)] ?? ''));
}

/** The document with one word in place of another. */
export function replaceWord(mechanism: Mechanism, sentence: number, place: number, word: string): void {
  const axes = axesOf(mechanism).slice(0, -MOODS.length);
  const vector = [...axes.map((axis) => Number(axis === word)), ...MOODS.map((words) => Number(words.includes(word)))];
  const words = (mechanism.inputs['words'] as Vectors).map((vectors, s) =>
    vectors.map((old, t) => (s === sentence && t === place ? vector : old)),
  );
  mechanism.change('inputs', { words });
}
