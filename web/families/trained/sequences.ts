import type { NDArray } from 'fovea';
import { bahdanau, pointerGenerator, pointerNetwork } from 'fovea/mechanisms';
import { MultiHeadAttention } from 'fovea/nn';
import { add, argmax, embedding, gru, matmul } from 'fovea/ops';
import { models as texts } from '../../../build/generated/texts/trained.ts';
import type { Trained } from './checkpoints.ts';
import { part } from './checkpoints.ts';
import { fill } from '../../shell/localized.ts';
import type { Picture, TrainedModel } from './model.ts';
import { matrixOf } from './model.ts';

/** The trained models that write a sequence, one step after another. */

export const pointer: TrainedModel = {
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
      pictures: [
        {
          title: texts.pictures.steps,
          weights: matrixOf(weights),
          rows: numbers.map((_, t) => `${t + 1}`),
          cols: numbers.map(String),
        },
      ],
    };
  },
};

export const reversal: TrainedModel = {
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

export const induction: TrainedModel = {
  name: 'self_attention',
  ...texts.self_attention,
  run(fovea, { examples }: Trained<{ words: number[] }>, { params }, example) {
    const { words } = examples[example]!;
    const read = words.slice(0, -1);
    const table = params.get('embedding')!;
    const places = embedding(
      fovea,
      Int32Array.from(read, (_, t) => t),
      params.get('positions')!,
    );
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
        const title = fill(texts.pictures.head, { layer: layer + 1, head: head + 1 });
        const from = head * read.length ** 2;
        pictures.push({
          title,
          weights: matrixOf(weights as NDArray, from),
          rows: letters.slice(0, -1),
          cols: letters.slice(0, -1),
        });
      }
    }
    const best = argmax(fovea, matmul(fovea, x, params.get('head')!)).data.at(-1)!;
    return { read: letters.slice(0, -1).join(' '), said: String.fromCharCode(65 + best), right: letters.at(-1)!, pictures };
  },
};

/** Words that the vocabulary lacks are V, V + 1, … in the order of the text. */
export const report: TrainedModel = {
  name: 'pointer_generator',
  ...texts.pointer_generator,
  run(fovea, trained: Trained<{ text: string[]; report: string[] }>, { params, network }, example) {
    const { vocabulary, examples } = trained;
    const { text, report: right } = examples[example]!;
    const V = vocabulary.length;
    const unknown = text.filter((word) => !vocabulary.includes(word));
    const words = [...vocabulary, ...unknown];
    const embed = (ids: readonly number[]): NDArray => {
      const known = Int32Array.from(ids, (id) => (id < V ? id : vocabulary.indexOf('unknown')));
      return embedding(fovea, known, network.get('embedding.weight')!);
    };
    const sourceIds = text.map((word) => words.indexOf(word));
    const { output: source, hidden } = gru(fovea, embed(sourceIds), Object.fromEntries(part(network, 'encoder.')));
    // The decoder begins with the last states of both directions, side by side.
    let state: NDArray = { data: hidden.data, shape: [1, hidden.data.length] };
    let coverage: NDArray | undefined;
    let last = vocabulary.indexOf('start');
    const [said, rows]: [string[], Float32Array[]] = [[], []];
    for (let t = 0; t <= text.length; t++) {
      const decoderInputs = embed([last]);
      const step = gru(fovea, decoderInputs, Object.fromEntries(part(network, 'decoder.')), {
        initialState: { hidden: state },
      });
      const inputs = { source, sourceIds: Int32Array.from(sourceIds), decoder: step.output, decoderInputs };
      const options = { oovCount: unknown.length, ...(coverage && { initialState: { coverage } }) };
      const result = pointerGenerator(fovea, inputs, params, options);
      [state, coverage] = [step.hidden, result.state?.coverage];
      last = argmax(fovea, result.distribution).data[0]!;
      rows.push(result.weights.data.slice());
      said.push(words[last]!);
      if (words[last] === 'end') break;
    }
    return {
      read: text.join(' '),
      said: said.join(' '),
      right: right.join(' '),
      pictures: [
        {
          title: texts.pictures.steps,
          weights: { data: Float32Array.from(rows.flatMap((row) => [...row])), rows: rows.length, cols: text.length },
          rows: said,
          cols: text,
        },
      ],
    };
  },
};
