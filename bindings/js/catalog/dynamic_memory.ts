import { dynamicMemory as compute } from '../mechanisms/dynamic_memory.ts';
import { system } from './entry/define.ts';
import type { EntryDefaults } from './entry/entry.ts';
import { texts } from './entry/papers.ts';
import { isNear, largest, rowAt, stageOf } from './entry/stage_values.ts';
import { gruWeights, SATURATED } from './samples/gru_weights.ts';
import { chineseStory as chinese, englishStory as english, type Told } from './samples/told_story.ts';
import { identityMatrix, idsOf, sparseMatrix, vector } from './samples/words.ts';

function sampleOf({ story, question, space, things, people, went, where, places, going }: Told) {
  const words = story.flat();
  const vocabulary = [...new Set([...words, ...question])];
  /** A state is the set of what its sentence names. */
  const axes = [...things, ...people, going, ...places];
  const [V, H] = [vocabulary.length, axes.length];
  const axisOf = (word: string) => axes.indexOf([went, where].includes(word) ? going : word);
  const embedding = vocabulary.map((word) => axes.map((_, axis) => Number(axis === axisOf(word))));
  /** Each word adds itself; a person begins a sentence, and clears the state. */
  const writes = axes.map((word, from) => axes.map((_, axis) => Number(from === axis || people.includes(word))));
  const reader = gruWeights({ candidate: identityMatrix(H, SATURATED), writes });
  /** A fact replaces the episode; the memory takes people and places from it; the answer reads the memory as it is. */
  const kept = [...people, ...places].map((word) => axes.indexOf(word));
  const episode = gruWeights({ candidate: identityMatrix(H, SATURATED) });
  const memory = gruWeights({
    candidate: sparseMatrix(
      H,
      H,
      kept.map((axis) => [axis, axis, SATURATED]),
    ),
  });
  const unread = sparseMatrix(V + H, H, []);
  const answer = gruWeights({ candidate: unread, writes: unread });
  /** z(c, m, q) has c ⊙ q from row 3H and c ⊙ m from row 4H. */
  const [withQuestion, withMemory] = [3 * H, 4 * H];
  const W1 = sparseMatrix(7 * H + 2, 2, [
    ...things.map((word) => [withMemory + axes.indexOf(word), 0, 8] as const),
    ...people.map((word) => [withMemory + axes.indexOf(word), 1, 8] as const),
    [withQuestion + axes.indexOf(going), 1, 8],
  ]);
  const params = {
    embedding,
    input: reader,
    question: reader,
    episode,
    memory,
    Wb: sparseMatrix(H, H, []),
    W1,
    /** A gate opens for a thing of the memory, or for one of its people who goes. */
    b1: vector([-4, -12]),
    W2: vector([6, 6]),
    b2: 6,
    answer,
    Wa: sparseMatrix(
      H,
      V,
      places.map((word) => [axes.indexOf(word), vocabulary.indexOf(word), 8]),
    ),
  };
  return {
    inputs: {
      story: idsOf(words, vocabulary),
      sentenceEnds: story.map((_, s) => story.slice(0, s + 1).flat().length - 1),
      question: idsOf(question, vocabulary),
    },
    params,
    options: { passes: 2 },
    labels: {
      story: [words],
      sentenceEnds: [story.map((sentence) => sentence.join(space))],
      question: [question],
      embedding: [vocabulary, axes],
    },
    claim: {
      text: {
        en: 'Where is the football? In the first pass one gate opens, 0.998 at “john took the football”; in the second, which knows of john, those of his two journeys, and the last of them stays: “bedroom”.',
        zh: '足球在哪里？第一遍只有“小明拿起足球”的门打开（0.998）；第二遍已经知道是小明，他去过的两处门都打开，后一处留在记忆里：“卧室”。',
      },
      tolerance: 0.0005,
      holds: (trace) =>
        stageOf(trace, 'gates').shape[0]! > 1 &&
        [[0], [1, 3]].every((open, pass) =>
          [...rowAt(trace, 'gates', [pass])].every((gate, s) =>
            open.includes(s) ? isNear(gate, 0.998, 0.0005) : gate < 0.003,
          ),
        ) &&
        largest(rowAt(trace, 'probability', [0])) === vocabulary.indexOf(places.at(-1)!),
    },
    contrast: { options: { passes: 1 } },
    sizes: { P: 2, S: story.length, T: words.length, Q: question.length, E: H, H, G: 2, V },
  } satisfies EntryDefaults;
}
const sample = sampleOf(english);

export default system({
  id: 'dynamic_memory',
  family: 'memory',
  title: { en: 'Dynamic memory network', zh: '动态记忆网络' },
  aliases: ['DMN', 'episodic memory', '情景记忆', '动态记忆'],
  notations: [
    {
      text: texts.survey,
      writes: {
        en: 'question module, input module, episodic memory module, answer module',
        zh: '问题模块、输入模块、情景记忆模块、回答模块',
      },
      means: {
        en: 'the GRUs question, input, episode with memory, and answer',
        zh: '几个 GRU：question、input、episode 与 memory、answer',
      },
    },
  ],
  paper: {
    authors: 'Kumar, Irsoy, Ondruska, Iyyer, Bradbury, Gulrajani, Zhong, Paulus, Socher',
    title: 'Ask Me Anything: Dynamic Memory Networks for Natural Language Processing',
    year: 2016,
    url: 'https://arxiv.org/abs/1506.07285',
    equations: 'section 2',
  },
  equation:
    'g_s = \\sigma(\\tanh(z(c_s, m, q) W_1 + b_1) W_2 + b_2),\\quad h_s = g_s \\operatorname{GRU}(c_s, h_{s-1}) + (1 - g_s) h_{s-1}',
  parent: 'memory_network',
  slots: { score: '\\tanh(z(c_s, m, q) W_1 + b_1) W_2 + b_2', normalizer: '\\sigma' },
  complexity: {
    letters: ['P', 'S', 'T', 'Q', 'E', 'H', 'G', 'V'],
    sizes: sample.sizes,
    pairs: ({ P, S }) => P! * S!,
    multiplyAdds: ({ P, S, T, Q, E, H, G, V }) => {
      const gate = H! * H! + 4 * H! + (7 * H! + 2) * G! + G!;
      const gru = (inputs: number) => 3 * H! * (inputs + H!);
      return (T! + Q!) * gru(E!) + P! * S! * (gate + gru(H!)) + P! * gru(H!) + gru(V! + H!) + H! * V!;
    },
  },
  ranges: { 'options.passes': { from: 1, to: 4, step: 1 } },
  code: 'dynamicMemory(fovea, inputs, params, { passes })',
  defaults: sample,
  chinese: sampleOf(chinese),
  compute,
});
