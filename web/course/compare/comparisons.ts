import type { Fovea } from 'fovea';
import { fullyConnected } from 'fovea/mechanisms';
import { conv1d, rnn } from 'fovea/ops';
import * as texts from '../../../build/generated/texts/before_attention.ts';
import { facts, sliders } from '../../../build/generated/texts/before_attention.ts';
import { fill, type Localized } from '../../shell/localized.ts';

/** Attention beside what came before it. Each comparison changes one word and looks at which outputs change, and by how much. */

export interface Slider {
  readonly key: string;
  readonly label: Localized;
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly value: number;
}

/** A line of the picture: the change of the output at each word. */
export interface Reach {
  readonly label: Localized;
  readonly change: readonly number[];
}

export interface Fact {
  readonly label: Localized;
  readonly other: number;
  readonly attention: number;
}

export interface Comparison {
  /** The name in the address. */
  readonly id: string;
  readonly title: Localized;
  readonly question: Localized;
  readonly body: Localized;
  /** The name of the method beside attention. */
  readonly other: Localized;
  readonly sliders: readonly Slider[];
  compute(
    fovea: Fovea,
    values: Readonly<Record<string, number>>,
  ): { readonly reach: readonly Reach[]; readonly facts: readonly Fact[] };
}

type Run = (x: number[][]) => { readonly data: ArrayLike<number> };

/** The change of each output when word `changed` goes from 0 to 1, all other words being 0. */
function reachOf(run: Run, words: number, changed: number): number[] {
  const inputs = (value: number): number[][] => Array.from({ length: words }, (_, t) => [t === changed ? value : 0]);
  const [before, after] = [run(inputs(0)), run(inputs(1))];
  return Array.from({ length: words }, (_, t) => Math.abs(after.data[t]! - before.data[t]!));
}

/** Every word asks for the changed one: its key alone has the number that the queries look for. */
function attentionReach(fovea: Fovea, words: number, changed: number): Reach {
  const q = Array.from({ length: words }, () => [10]);
  const k = Array.from({ length: words }, (_, t) => [t === changed ? 1 : 0]);
  return { label: texts.row.attention, change: reachOf((v) => fovea.attention(q, k, v, { scale: 1 }).output, words, changed) };
}

const recurrent: Comparison = {
  id: 'recurrent',
  ...texts.recurrent,
  sliders: [
    { key: 'words', ...sliders.words, from: 2, to: 24, step: 1, value: 12 },
    { key: 'kept', ...sliders.kept, from: 0.1, to: 1, step: 0.1, value: 0.7 },
  ],
  compute(fovea, { words = 0, kept = 0 }) {
    const run: Run = (x) => rnn(fovea, x, { weight_ih_l0: [[1]], weight_hh_l0: [[kept]] }).output;
    return {
      reach: [{ label: texts.row.recurrent, change: reachOf(run, words, 0) }, attentionReach(fovea, words, 0)],
      facts: [
        { label: facts.path, other: words - 1, attention: 1 },
        { label: facts.inTurn, other: words, attention: 1 },
        { label: facts.pairs, other: 0, attention: words * words },
      ],
    };
  },
};

/** Numbers of a frame of speech, and units of the net: as large as a small recognizer's. */
const [FRAME, UNITS] = [40, 64];

const window: Comparison = {
  id: 'fully-connected',
  ...texts.fullyConnected,
  sliders: [
    { key: 'context', ...sliders.context, from: 0, to: 10, step: 1, value: 5 },
    { key: 'words', ...sliders.frames, from: 12, to: 40, step: 1, value: 24 },
  ],
  compute(fovea, { words = 0, context = 0 }) {
    const width = 2 * context + 1;
    const params = { W1: Array.from({ length: width }, () => [1]), b1: [0] };
    const run: Run = (x) => fullyConnected(fovea, { x }, params, { context, activation: 'none' }).output;
    return {
      reach: [{ label: texts.row.window, change: reachOf(run, words, 0) }, attentionReach(fovea, words, 0)],
      facts: [
        { label: facts.frames, other: width, attention: words },
        { label: facts.weights, other: width * FRAME * UNITS, attention: 3 * FRAME * UNITS },
        { label: facts.pairs, other: 0, attention: words * words },
      ],
    };
  },
};

const convolution: Comparison = {
  id: 'convolution',
  ...texts.convolution,
  sliders: [
    { key: 'layers', ...sliders.layers, from: 1, to: 6, step: 1, value: 3 },
    { key: 'kernel', ...sliders.kernel, from: 3, to: 7, step: 2, value: 3 },
    { key: 'words', ...sliders.words, from: 9, to: 31, step: 2, value: 21 },
  ],
  compute(fovea, { words = 0, layers = 0, kernel = 0 }) {
    const weight = [[Array.from({ length: kernel }, () => 1 / kernel)]];
    const middle = (words - 1) / 2;
    const reach = Array.from({ length: layers }, (_, l): Reach => {
      const run: Run = (x) =>
        Array.from({ length: l + 1 }).reduce<{ data: Float32Array; shape: number[] }>(
          (y) => conv1d(fovea, y, weight, { padding: 'same', layout: 'btd' }),
          { data: Float32Array.from(x.flat()), shape: [words, 1] },
        );
      return { label: fill(texts.row.layer, { n: l + 1 }), change: reachOf(run, words, middle) };
    });
    return {
      reach: [...reach, attentionReach(fovea, words, middle)],
      facts: [
        { label: facts.field, other: Math.min(words, 1 + layers * (kernel - 1)), attention: words },
        { label: facts.path, other: Math.ceil(middle / ((kernel - 1) / 2)), attention: 1 },
        { label: facts.pairs, other: 0, attention: words * words },
      ],
    };
  },
};

export const COMPARISONS: readonly Comparison[] = [recurrent, window, convolution];
