import type { Mechanism } from '../../stages/mechanism.svelte.ts';
import { isSame } from '../../shell/kept.svelte.ts';
import { partsOf, type Part } from './parts.ts';

/** The memory mechanisms that read in steps, in one form: what is asked, which line is read, what comes of it. */

export interface Line {
  readonly text: string;
  /** Where the line is a pair: what is found by `text`. */
  readonly value?: string;
}

export interface Hop {
  readonly asks: readonly Part[];
  /** One number a line. */
  readonly weights: readonly number[];
  readonly reads: readonly Part[];
}

export interface Reading {
  readonly lines: readonly Line[];
  readonly hops: readonly Hop[];
  readonly answers: readonly Part[];
}

type Rows = readonly (readonly number[])[];
type Numbers = readonly number[];

/** Names of the stages of the three mechanisms. */
const STAGES: Readonly<Record<string, { asks: string; weights: string; reads: string }>> = {
  memory_network: { asks: 'u', weights: 'weights', reads: 'o' },
  key_value_memory: { asks: 'q', weights: 'weights', reads: 'o' },
  dynamic_memory: { asks: 'memories', weights: 'gates', reads: 'episodes' },
};
const MOST_ANSWERS = 3;

const labels = ({ sample }: Mechanism, name: string, axis: number): readonly string[] => sample.labels[name]?.[axis] ?? [];
const tableOf = (id: string): string => (id === 'dynamic_memory' ? 'embedding' : 'A');

function rows(mechanism: Mechanism, stage: string): number[][] {
  const found = mechanism.stage(stage);
  const width = found?.shape.at(-1) ?? 0;
  return Array.from({ length: width === 0 ? 0 : (found?.data.length ?? 0) / width }, (_, r) =>
    Array.from(found!.data.slice(r * width, (r + 1) * width)),
  );
}

export const readsStory = (id: string): boolean => id in STAGES;

/** All lines that there are, also those that have been taken out of the memory. */
export function allLines(mechanism: Mechanism): Line[] {
  const { id } = mechanism.entry;
  if (id === 'memory_network') return labels(mechanism, 'story', 0).map((text) => ({ text }));
  if (id === 'dynamic_memory') return labels(mechanism, 'sentenceEnds', 0).map((text) => ({ text }));
  const tied = isTied(mechanism);
  return labels(mechanism, 'keys', 0).map((name, n) => {
    const [key = '', value = ''] = name.split(/: |：/);
    return (mechanism.sample.inputs['keys'] as Rows)[n] ? { text: key, value: tied ? key : value } : { text: key };
  });
}

export function readingOf(mechanism: Mechanism, kept: readonly boolean[]): Reading {
  const { id } = mechanism.entry;
  const { asks, weights, reads } = STAGES[id]!;
  const axes = labels(mechanism, tableOf(id), 1);
  const [queries, given, read] = [rows(mechanism, asks), rows(mechanism, weights), rows(mechanism, reads)];
  const names = id === 'key_value_memory' ? labels(mechanism, 'candidates', 0) : labels(mechanism, tableOf(id), 0);
  const answers = (rows(mechanism, 'probability')[0] ?? []).map((value, n) => ({ name: names[n] ?? '', value }));
  return {
    lines: allLines(mechanism).filter((_, n) => kept[n]),
    hops: given.map((row, n) => ({
      asks: partsOf(queries[n] ?? [], axes),
      weights: row,
      reads: partsOf(read[n] ?? [], axes),
    })),
    answers: answers.sort((a, b) => b.value - a.value).slice(0, MOST_ANSWERS),
  };
}

/** The questions that can be asked, by the word that differs in them: the first two axes. The sample asks for the first, of films the second. */
export function questionsOf(mechanism: Mechanism): readonly string[] {
  const [first = '', second = ''] = labels(mechanism, tableOf(mechanism.entry.id), 1);
  return mechanism.entry.id === 'key_value_memory' ? [second, first] : [first, second];
}

/** The words of the sample's question with another word asked for. */
export function questionText(mechanism: Mechanism, asked: string): string {
  const words = labels(mechanism, 'question', 0);
  const questions = questionsOf(mechanism);
  const put = words.map((word) => (questions.includes(word) ? asked : word));
  return put.join(put.some((word) => /\p{Script=Han}/u.test(word)) ? '' : ' ');
}

export const isTied = ({ inputs, entry }: Mechanism): boolean =>
  entry.id === 'key_value_memory' && isSame(inputs['values'], inputs['keys']);

/** Inputs with this question and those lines of the story that are kept. */
export function inputsWith(mechanism: Mechanism, asked: string, kept: readonly boolean[], tied: boolean): object {
  const { id } = mechanism.entry;
  const keep = <T>(all: readonly T[]): T[] => all.filter((_, n) => kept[n]);
  const { inputs } = mechanism.sample;
  if (id === 'key_value_memory') {
    const axes = labels(mechanism, 'A', 0);
    const films = questionsOf(mechanism);
    const question = (inputs['question'] as Numbers).map((x, n) => (films.includes(axes[n]!) ? Number(axes[n] === asked) : x));
    const keys = keep(inputs['keys'] as Rows);
    return { ...inputs, question, keys, values: tied ? keys : keep(inputs['values'] as Rows) };
  }
  const vocabulary = labels(mechanism, tableOf(id), 0);
  const known = questionsOf(mechanism).map((word) => vocabulary.indexOf(word));
  const question = (inputs['question'] as Numbers).map((word) => (known.includes(word) ? vocabulary.indexOf(asked) : word));
  if (id === 'memory_network') return { ...inputs, question, story: keep(inputs['story'] as Rows) };
  const ends = inputs['sentenceEnds'] as Numbers;
  const story = keep(ends.map((end, s) => (inputs['story'] as Numbers).slice(s === 0 ? 0 : ends[s - 1]! + 1, end + 1)));
  let end = -1;
  return { question, story: story.flat(), sentenceEnds: story.map(({ length }) => (end += length)) };
}
