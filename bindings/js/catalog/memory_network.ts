import { memoryNetwork as compute } from '../mechanisms/memory_network.ts';
import { system } from './entry/define.ts';
import type { EntryDefaults } from './entry/entry.ts';
import { withChineseLabels } from './entry/labels.ts';
import { texts } from './entry/papers.ts';
import { isNear, largest, rowAt, valueAt } from './entry/stage_values.ts';
import { chineseStory as chinese, englishStory as english, type Told } from './samples/told_story.ts';
import { idsOf, sparseMatrix } from './samples/words.ts';

function sampleOf({ story, question, space, things, people, went, where, places, going, age }: Told) {
  const vocabulary = [...new Set([...story.flat(), ...question])];
  const axes = [...things, ...people, going, age, ...places];
  const [V, d] = [vocabulary.length, axes.length];
  /** A table [V, d] of entries 'word', 'axis', value. */
  const table = (entries: readonly (readonly [string, string, number])[]) =>
    sparseMatrix(
      V,
      d,
      entries.map(([word, name, value]) => [vocabulary.indexOf(word), axes.indexOf(name), value]),
    );
  const same = (words: readonly string[], value: number) => words.map((word) => [word, word, value] as const);
  /** Hop 1 compares things; 'where' asks hop 2 for going, and for a small age. */
  const A = table([...same(things, 3), [where, going, 3], [where, age, -22]]);
  /** Hop 1 reads people, which hop 2 compares, and going. */
  const readsPeople = table([...same(people, 3), [went, going, 3]]);
  /** Hop 2 reads places, which are the answers. */
  const readsPlaces = table(same(places, 3));
  /** The age of a sentence, in the second hop: small, as reading the first sentence adds its own age to the question. */
  const ages = (step: number) =>
    sparseMatrix(
      story.length,
      d,
      story.map((_, n) => [n, axes.indexOf(age), step * n]),
    );
  const TA = ages(0);
  const TC = [ages(0.1), ages(0)];
  const sentences = story.map((words) => words.join(space));
  return {
    inputs: { story: story.map((words) => idsOf(words, vocabulary)), question: idsOf(question, vocabulary) },
    params: { A, C: [readsPeople, readsPlaces], TA, TC },
    options: { encoding: 'bagOfWords' },
    labels: {
      story: [sentences, null],
      question: [question],
      A: [vocabulary, axes],
      C: [['hop 1', 'hop 2'], vocabulary, axes],
      TA: [null, axes],
      TC: [['hop 1', 'hop 2'], null, axes],
    },
    claim: {
      text: {
        en: 'Where is the football? Hop 1 goes from the thing to the person (0.9995 on “john took the football”), hop 2 from the person to his last place (0.987 on “john went to bedroom”), and “bedroom” is the answer.',
        zh: '足球在哪里？第一跳从物找到人（0.9995 落在“小明拿起足球”），第二跳从人找到他最后去的地方（0.987 落在“小明去了卧室”），答案是“卧室”。',
      },
      tolerance: 0.0005,
      holds: (trace) =>
        isNear(valueAt(trace, 'weights', [0, 0]), 0.9995, 0.0005) &&
        isNear(valueAt(trace, 'weights', [1, 3]), 0.987, 0.0005) &&
        largest(rowAt(trace, 'probability', [])) === vocabulary.indexOf(places.at(-1)!),
    },
    // One table for all: a sentence that is found by its thing gives back that thing, and no hop goes further.
    contrast: { params: { A, C: [A, A], TA, TC } },
    sizes: { K: 2, M: story.length, d, V },
  } satisfies EntryDefaults;
}
const sample = sampleOf(english);

export default system({
  id: 'memory_network',
  family: 'memory',
  title: { en: 'End-to-end memory network', zh: '记忆网络' },
  aliases: [
    'MemN2N',
    'multi-hop attention over memory',
    'memory-based attention',
    '端到端记忆网络',
    '基于记忆的注意力',
    '多跳',
  ],
  notations: [
    {
      text: texts.survey,
      writes: 'q^{(t+1)} = q^{(t)} + c^{(t)}',
      means: { en: "u' = u + o: the question with what the hop has read", zh: "u' = u + o：问题加上这一跳读到的内容" },
    },
  ],
  paper: {
    authors: 'Sukhbaatar, Szlam, Weston, Fergus',
    title: 'End-To-End Memory Networks',
    year: 2015,
    url: 'https://arxiv.org/abs/1503.08895',
    equations: 'eq. 1 to 4',
  },
  equation: 'p_i = \\operatorname{softmax}_i(u^k \\cdot m_i^k),\\quad u^{k+1} = u^k + \\textstyle\\sum_i p_i c_i^k',
  parent: 'dot',
  slots: { score: 'u^\\top m_i', value: 'c_i' },
  complexity: {
    letters: ['K', 'M', 'd', 'V'],
    sizes: sample.sizes,
    pairs: ({ K, M }) => K! * M!,
    multiplyAdds: ({ K, M, d, V }) => 2 * K! * M! * d! + V! * d!,
  },
  defaults: sample,
  chinese: withChineseLabels(sampleOf(chinese)),
  compute,
});
