import type { Fovea, NDArray } from 'fovea';
import { bahdanau, hierarchicalAttention, pointerNetwork } from 'fovea/mechanisms';
import { MultiHeadAttention } from 'fovea/nn';
import { add, argmax, embedding, gru, matmul } from 'fovea/ops';
import type { Matrix } from '../../figures/matrix.ts';
import type { Localized } from '../../shell/localized.ts';
import type { Trained, Weights } from './checkpoints.ts';
import { part } from './checkpoints.ts';
import { models as texts } from './messages.ts';

/** The trained models of the page: each runs a held-out example with the weights of a checkpoint. */

/** What the model said about an example, and what it attended to on the way. */
export interface Answer {
  readonly read: string;
  readonly said: string;
  readonly right: string;
  readonly pictures: readonly Picture[];
}

export interface Picture {
  readonly title: Localized;
  readonly weights: Matrix;
  readonly rows: readonly string[];
  readonly cols: readonly string[];
}

export interface TrainedModel {
  readonly name: string;
  readonly task: Localized;
  /** What the picture becomes. */
  readonly forms: Localized;
  run(fovea: Fovea, trained: Trained<never>, weights: Weights, example: number): Answer;
}

const matrixOf = ({ data, shape }: NDArray, from = 0): Matrix => {
  const [rows = 0, cols = 0] = shape.slice(-2);
  return { data: Float32Array.from(data.subarray(from, from + rows * cols)), rows, cols };
};

const pointer: TrainedModel = {
  name: 'pointer_network',
  ...texts.pointer_network,
  run(fovea, { examples }: Trained<{ numbers: number[] }>, { params }, example) {
    const { numbers } = examples[example]!;
    const points = numbers.map((number) => [number / 100]);
    const { weights, indices } = pointerNetwork(fovea, { points }, params);
    return {
      read: numbers.join(' '),
      said: [...indices.data].map((place) => numbers[place]).join(' '),
      right: [...numbers].sort((a, b) => a - b).join(' '),
      pictures: [{ title: texts.pictures.steps, weights: matrixOf(weights), rows: numbers.map((_, t) => `${t + 1}`), cols: numbers.map(String) }], // prettier-ignore
    };
  },
};

const reversal: TrainedModel = {
  name: 'bahdanau',
  ...texts.bahdanau,
  run(fovea, { examples, vocabulary }: Trained<{ word: string }>, { params, network }, example) {
    const letters = [...examples[example]!.word];
    const table = network.get('embedding.weight')!;
    const x = embedding(
      fovea,
      Int32Array.from(letters, (letter) => vocabulary.indexOf(letter)),
      table,
    );
    const { output: source } = gru(fovea, x, Object.fromEntries(part(network, 'encoder.')));
    const [said, rows]: [string[], Float32Array[]] = [[], []];
    let last = vocabulary.indexOf('start');
    let state: { s: NDArray } | undefined;
    for (let t = 0; t <= letters.length; t++) {
      const decoderInputs = embedding(fovea, Int32Array.of(last), table);
      const step = bahdanau(fovea, { source, decoderInputs }, params, { initialState: state });
      last = argmax(fovea, step.probability!).data[0]!;
      state = step.state;
      rows.push(step.weights.data.slice());
      if (vocabulary[last] === 'end') break;
      said.push(vocabulary[last]!);
    }
    const data = Float32Array.from(rows.flatMap((row) => [...row]));
    return {
      read: letters.join(''),
      said: said.join(''),
      right: [...letters].reverse().join(''),
      pictures: [
        {
          title: texts.pictures.steps,
          weights: { data, rows: rows.length, cols: letters.length },
          rows: rows.map((_, t) => said[t] ?? '·'),
          cols: letters,
        },
      ],
    };
  },
};

const induction: TrainedModel = {
  name: 'self_attention',
  ...texts.self_attention,
  run(fovea, { examples }: Trained<{ words: number[] }>, { params }, example) {
    const { words } = examples[example]!;
    const read = words.slice(0, -1);
    const table = params.get('embedding')!;
    const places = embedding(fovea, Int32Array.from(read, (_, t) => t), params.get('positions')!); // prettier-ignore
    let x = add(fovea, embedding(fovea, Int32Array.from(read), table), places);
    const letters = words.map((word) => String.fromCharCode(65 + word));
    const pictures: Picture[] = [];
    for (const layer of [0, 1]) {
      const attention = new MultiHeadAttention(fovea, { embedDim: table.shape[1]!, numHeads: 2, bias: false });
      attention.loadStateDict(part(params, `layers.${layer}.`));
      const options = { causal: true, returnWeights: true, averageAttnWeights: false } as const;
      const { output, weights } = attention.forward(x, options);
      attention.dispose();
      x = add(fovea, x, output);
      for (const head of [0, 1]) {
        const title = texts.pictures.head(layer + 1, head + 1);
        const from = head * read.length ** 2;
        pictures.push({ title, weights: matrixOf(weights as NDArray, from), rows: letters.slice(0, -1), cols: letters.slice(0, -1) }); // prettier-ignore
      }
    }
    const best = argmax(fovea, matmul(fovea, x, params.get('head')!)).data.at(-1)!;
    return { read: letters.slice(0, -1).join(' '), said: String.fromCharCode(65 + best), right: letters.at(-1)!, pictures };
  },
};

interface Review {
  readonly words: readonly (readonly number[])[];
  readonly positive: 0 | 1;
}

const judgment: TrainedModel = {
  name: 'hierarchical_attention',
  ...texts.hierarchical_attention,
  run(fovea, trained: Trained<Review> & { classes?: readonly string[] }, { params, network }, example) {
    const { vocabulary, examples, classes = [] } = trained;
    const { words, positive } = examples[example]!;
    const x = embedding(fovea, words, network.get('embedding.weight')!);
    const { probability, wordWeights, sentenceWeights } = hierarchicalAttention(fovea, { words: x }, params);
    const texted = words.map((sentence) => sentence.map((word) => vocabulary[word]!));
    const sentences = texted.map((sentence) => sentence.join(' '));
    return {
      read: sentences.join(' / '),
      said: classes[argmax(fovea, probability).data[0]!] ?? '',
      right: classes[positive] ?? '',
      pictures: [
        {
          title: texts.pictures.sentences,
          weights: { data: sentenceWeights.data, rows: 1, cols: sentences.length },
          rows: [''],
          cols: sentences.map((_, s) => `${s + 1}`),
        },
        {
          title: texts.pictures.words,
          weights: matrixOf(wordWeights),
          rows: sentences.map((_, s) => `${s + 1}`),
          cols: texted[0]!.map((_, w) => `${w + 1}`),
        },
      ],
    };
  },
};

export const MODELS: readonly TrainedModel[] = [reversal, pointer, induction, judgment];
