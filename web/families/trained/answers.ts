import { attentionOverAttention, graphAttention, hierarchicalAttention, keyValueMemory } from 'fovea/mechanisms';
import { argmax, embedding } from 'fovea/ops';
import { models as texts } from '../../../build/generated/texts/trained.ts';
import { zeros } from '../../figures/matrix.ts';
import type { Trained } from './checkpoints.ts';
import { fill } from '../../shell/localized.ts';
import type { Picture, TrainedModel } from './model.ts';
import { matrixOf } from './model.ts';

/** The trained models that give one answer, or one a node. */

interface Review {
  readonly words: readonly (readonly number[])[];
  readonly positive: 0 | 1;
}

export const judgment: TrainedModel = {
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

export const blank: TrainedModel = {
  name: 'attention_over_attention',
  ...texts.attention_over_attention,
  run(fovea, trained: Trained<{ document: number[]; query: number[]; answer: number }>, { params }, example) {
    const { vocabulary, examples } = trained;
    const { document, query, answer } = examples[example]!;
    const ids = { document: Int32Array.from(document), query: Int32Array.from(query) };
    const { words, probability, beta, s } = attentionOverAttention(fovea, ids, params);
    const wordsOf = (list: readonly number[]): string[] => list.map((id) => vocabulary[id]!);
    const [text, asked] = [wordsOf(document), wordsOf(query)];
    return {
      read: `${text.join(' ')} / ${asked.join(' ')}`,
      said: vocabulary[words.data[argmax(fovea, probability).data[0]!]!]!,
      right: vocabulary[answer]!,
      pictures: [
        { title: texts.pictures.places, weights: { data: s.data, rows: 1, cols: text.length }, rows: ['s'], cols: text },
        { title: texts.pictures.beta, weights: matrixOf(beta), rows: text, cols: asked },
      ],
    };
  },
};

interface FactsExample {
  /** `ball with Mary` · `Mary in kitchen`. */
  readonly facts: readonly (readonly [string, string, string])[];
  readonly thing: string;
  readonly answer: number;
}

export const story: TrainedModel = {
  name: 'key_value_memory',
  ...texts.key_value_memory,
  run(fovea, trained: Trained<FactsExample> & { features?: string[]; candidates?: string[] }, { params }, example) {
    const { examples, features = [], candidates = [] } = trained;
    const { facts, thing, answer } = examples[example]!;
    const bag = (words: readonly string[]): number[] => features.map((feature) => Number(words.includes(feature)));
    const inputs = {
      question: { data: bag(['where', thing]), shape: [features.length] },
      keys: facts.map(([subject, relation]) => bag([subject, relation])),
      values: facts.map(([, , value]) => bag([value])),
      candidates: candidates.map((place) => bag([place])),
    };
    const { probability, weights } = keyValueMemory(fovea, inputs, params);
    const matrix = matrixOf(weights);
    return {
      read: `${facts.map((fact, n) => `${n + 1} ${fact.join(' ')}`).join(' · ')} / where ${thing}`,
      said: candidates[argmax(fovea, probability).data[0]!] ?? '',
      right: candidates[answer] ?? '',
      pictures: [
        {
          title: texts.pictures.hops,
          weights: matrix,
          rows: Array.from({ length: matrix.rows }, (_, hop) => `${hop + 1}`),
          cols: facts.map((_, n) => `${n + 1}`),
        },
      ],
    };
  },
};

interface Graph {
  /** [nodes][opinion, knows, 1]. */
  readonly h: readonly (readonly number[])[];
  /** Each pair once. */
  readonly edges: readonly (readonly [number, number])[];
  readonly community: readonly number[];
}

const GRAPH = { heads: 2, combine: 'average', activation: 'none' } as const;

export const communities: TrainedModel = {
  name: 'graph_attention',
  ...texts.graph_attention,
  run(fovea, { examples }: Trained<Graph>, { params }, example) {
    const { h, edges, community } = examples[example]!;
    const both = edges.flatMap(([i, j]) => [
      [i, j],
      [j, i],
    ]);
    const nodes = h.length;
    const result = graphAttention(fovea, { h: h.map((row) => [...row]), edges: both }, params, GRAPH);
    const names = h.map(([, knows], n) => `${knows === 1 ? '●' : '○'}${n + 1}`);
    const letters = (groups: Iterable<number>): string => [...groups].map((group) => 'AB'[group]).join('');
    const masked = zeros(nodes, nodes);
    masked.data.fill(1);
    const pictures = Array.from({ length: GRAPH.heads }, (_, head): Picture => {
      const weights = zeros(nodes, nodes);
      for (let e = 0; e < result.edges.shape[0]!; e++) {
        const pair = result.edges.data[2 * e]! * nodes + result.edges.data[2 * e + 1]!;
        weights.data[pair] = result.weights.data[GRAPH.heads * e + head]!;
        masked.data[pair] = 0;
      }
      return { title: fill(texts.pictures.neighbors, { head: head + 1 }), weights, rows: names, cols: names, masked };
    });
    return {
      read: h.map(([opinion], n) => `${names[n]} ${opinion}`).join(' · '),
      said: letters(argmax(fovea, result.output).data),
      right: letters(community),
      pictures,
    };
  },
};
