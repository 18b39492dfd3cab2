import type { TraceStage } from 'fovea';
import { run } from 'fovea/catalog';
import { rnn } from 'fovea/ops';
import * as messages from '../../../build/generated/texts/family_alignment.ts';
import type { Figure } from '../../figures/figure.ts';
import { fromRows, type Matrix } from '../../figures/matrix.ts';
import { local } from '../../shell/settings.svelte.ts';
import type { Mechanism } from '../../stages/mechanism.svelte.ts';

/** Readings of the pictures: which source words a decoder's steps attend to, and the words that it writes. */

export interface Decoding {
  readonly source: readonly string[];
  /** One for each step. */
  readonly written: readonly string[];
  /** [steps, source] */
  readonly weights: readonly (readonly number[])[];
  /** Neighbors among the source words that belong together. */
  readonly blocks?: readonly { readonly from: number; readonly name: string }[];
}

/** Our translations of the source words of the task-specific example, by the flag. */
const translations: readonly (readonly string[])[] = [
  ['je', 'mange', 'des pommes'],
  ['私は', '食べる', 'りんごを'],
];

export function rowsOf(stage: TraceStage | undefined): number[][] {
  const width = stage?.shape.at(-1) ?? 0;
  return Array.from({ length: stage ? stage.data.length / (width || 1) : 0 }, (_, row) =>
    Array.from(stage!.data.slice(row * width, (row + 1) * width)),
  );
}

export const labelsOf = (mechanism: Mechanism, name: string, axis = 0): readonly string[] =>
  mechanism.sample.labels[name]?.[axis] ?? [];

export const largestAt = (row: readonly number[]): number => row.indexOf(Math.max(...row));

/** The word with the largest probability, or all of them where none has more. */
function likeliest(row: readonly number[], words: readonly string[]): string {
  const most = Math.max(...row);
  return words.filter((_, n) => (row[n] ?? 0) > most - 1e-6).join(' / ');
}

/** `block` counts those of the convolutional decoder from 0. */
export function decodingOf(mechanism: Mechanism, block: number): Decoding {
  const source = labelsOf(mechanism, 'source');
  const weights = rowsOf(mechanism.stage('weights'));
  switch (mechanism.entry.id) {
    case 'bahdanau': {
      const probability = rowsOf(mechanism.stage('probability'));
      return { source, weights, written: probability.map((row) => likeliest(row, labelsOf(mechanism, 'Wo', 1))) };
    }
    case 'conv_s2s': {
      const written = labelsOf(mechanism, 'g');
      return {
        source: labelsOf(mechanism, 'z'),
        weights: weights.slice(block * written.length, (block + 1) * written.length),
        written,
      };
    }
    case 'multi_source': {
      const [first, second] = ['source1', 'source2'].map((name) => labelsOf(mechanism, name)) as [string[], string[]];
      const [one, two] = ['weights1', 'weights2'].map((name) => rowsOf(mechanism.stage(name))) as [number[][], number[][]];
      const probability = rowsOf(mechanism.stage('probability'));
      return {
        source: [...first, ...second],
        weights: one.map((row, step) => [...row, ...(two[step] ?? [])]),
        written: probability.map((row) => likeliest(row, labelsOf(mechanism, 'Ws', 1))),
        blocks: [
          { from: 0, name: local(messages.firstSource) },
          { from: first.length, name: local(messages.german) },
        ],
      };
    }
    case 'task_specific':
      return { source, weights, written: translated(weights, Number(mechanism.inputs['task'])) };
    default: {
      const steps = labelsOf(mechanism, 'decoder');
      const written = weights.map((_, step) =>
        isLocal(mechanism) ? local(messages.stepN)({ n: step + 1 }) : (steps[step] ?? ''),
      );
      return { source, weights, written };
    }
  }
}
const isLocal = ({ entry }: Mechanism): boolean => entry.id === 'luong_local';

export const translated = (weights: readonly (readonly number[])[], task: number): string[] =>
  weights.map((row) => translations[task]?.[largestAt(row)] ?? '');

/** The weights of the sentence under the other flag. */
export function underOtherFlag(mechanism: Mechanism): { task: number; weights: number[][] } {
  const task = 1 - Number(mechanism.inputs['task']);
  const inputs = { ...mechanism.inputs, task };
  const { trace } = run(mechanism.fovea, mechanism.entry.id, inputs, mechanism.params, mechanism.options);
  return { task, weights: rowsOf(trace.find(({ name }) => name === 'weights')) };
}

/** The part of its state that the encoder of the bottleneck keeps from word to word. */
export const KEPT = 0.6;

/** The last state of a recurrent encoder that has a unit for each word: what is left of each of them. */
export function lastState({ fovea }: Mechanism, words: number): number[] {
  const unit = (factor: number) =>
    Array.from({ length: words }, (_, i) => Array.from({ length: words }, (_, j) => (i === j ? factor : 0)));
  const { output } = rnn(fovea, unit(1), { weight_ih_l0: unit(1), weight_hh_l0: unit(KEPT) });
  return Array.from(output.data.slice(-words));
}

/** An alignment matrix as far as it has grown. */
export function alignmentFigure(
  mechanism: Mechanism,
  weights: readonly (readonly number[])[],
  rows: readonly string[],
  { source, blocks }: Decoding,
  letter = 'A',
): Figure {
  const matrix: Matrix = fromRows(weights);
  return {
    id: letter === 'A' ? 'weights' : 'beside',
    letter,
    matrix,
    rows: { title: local(messages.target), labels: rows },
    cols: { title: local(messages.source), labels: source, ...(blocks && { blocks }) },
    colors: 'weights',
    limit: 1,
    role: 'plain',
    provenance: mechanism.provenance,
    editable: false,
  };
}
