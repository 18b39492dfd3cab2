import { decomposableAttention as compute } from '../mechanisms/decomposable_attention.ts';
import { system } from './entry/define.ts';
import type { OtherWords } from './entry/entry.ts';
import { texts } from './entry/papers.ts';
import { isNear, valueAt } from './entry/stage_values.ts';
import { identityMatrix, isChinese, readableWords, sparseMatrix, vector, wordsWithKinds } from './samples/words.ts';

const premise = ['women', 'chase', 'cats'];
/** A text of the visitor's language is compared with the one in its language. */
const hypotheses = { en: ['people', 'chase', 'animals'], zh: ['人', '追', '动物'] };
const zeros = (columns: number) => vector(new Array<number>(columns).fill(0));

function sampleOf(premise: readonly string[]) {
  const hypothesis = hypotheses[isChinese(premise) ? 'zh' : 'en'];
  const { distinct: axes } = readableWords([...premise, ...hypothesis]);
  const [a, b] = [wordsWithKinds(premise, axes), wordsWithKinds(hypothesis, axes)];
  const E = axes.length;
  /** F is the words, three times as long. G is relu(word - what the other sentence has for it): what is said here alone. */
  const F = { W1: identityMatrix(E, 3), b1: zeros(E) };
  const G = { W1: [...identityMatrix(E), ...identityMatrix(E, -1)], b1: zeros(E) };
  /** The hypothesis follows unless it says something alone: its half of [v1; v2] counts. */
  const H = {
    W1: sparseMatrix(
      2 * E,
      2,
      axes.map((_, n) => [E + n, 1, 8]),
    ),
    b1: vector([4, 0]),
  };
  return {
    inputs: { a, b },
    params: { F, G, H },
    labels: { a: [premise, axes], b: [hypothesis, axes] },
    contrast: { inputs: { a: b, b: a } },
    sizes: { la: premise.length, lb: hypothesis.length, E, F: E, G: E },
  } satisfies OtherWords;
}
const { sizes, ...sample } = sampleOf(premise);

export default system({
  id: 'decomposable_attention',
  family: 'alignment',
  title: { en: 'Decomposable attention', zh: '可分解注意力' },
  aliases: ['decomposable attention model', 'attend, compare, aggregate', '可分解注意力模型', '对齐、比较、聚合'],
  notations: [
    {
      text: texts.survey,
      writes: { en: 'F is applied l_a ⊕ l_b times', zh: 'F 计算 l_a ⊕ l_b 次' },
      means: { en: 'l_a + l_b times, in place of l_a · l_b', zh: 'l_a + l_b 次，而不是 l_a · l_b 次' },
    },
    {
      text: 'Parikh et al. 2016',
      writes: 'β_i, α_j',
      means: {
        en: 'beta, what b has for a_i; alpha, what a has for b_j',
        zh: 'beta 是 b 中与 a_i 对应的部分；alpha 是 a 中与 b_j 对应的部分',
      },
    },
  ],
  paper: {
    authors: 'Parikh, Täckström, Das, Uszkoreit',
    title: 'A Decomposable Attention Model for Natural Language Inference',
    year: 2016,
    url: 'https://arxiv.org/abs/1606.01933',
    equations: 'sections 3.1 to 3.4',
  },
  equation:
    'e_{ij} = F(a_i) \\cdot F(b_j),\\quad v_1 = \\textstyle\\sum_i G([a_i; \\sum_j \\operatorname{softmax}_j(e_{ij})\\, b_j]),\\quad y = H([v_1; v_2])',
  parent: 'dot',
  slots: { score: 'F(a_i)^\\top F(b_j)' },
  complexity: {
    letters: ['la', 'lb', 'E', 'F', 'G', 'C'],
    sizes: { ...sizes, C: 2 },
    pairs: ({ la, lb }) => la! * lb!,
    multiplyAdds: ({ la, lb, E, F, G, C }) => (la! + lb!) * (E! * F! + 2 * E! * G!) + la! * lb! * (F! + 2 * E!) + 2 * G! * C!,
  },
  defaults: {
    ...sample,
    claim: {
      text: {
        en: '“people” is aligned with “women” and “animals” with “cats” (0.999 and more). The hypothesis says nothing that the premise does not, so it follows, with 0.98; exchange the two, and it does not.',
        zh: '“人”与“女人”对齐，“动物”与“猫”对齐（都在 0.999 以上）。假设没有说前提之外的内容，所以成立的概率是 0.98；两句对调，就不成立了。',
      },
      tolerance: 0.005,
      holds: (trace) =>
        valueAt(trace, 'alphaWeights', [0, 0]) >= 0.999 &&
        valueAt(trace, 'alphaWeights', [2, 2]) >= 0.999 &&
        isNear(valueAt(trace, 'probability', [0]), 0.98, 0.005),
    },
  },
  chineseLabels: { women: '女人', chase: '追', cats: '猫', people: '人', animals: '动物' },
  sampleOf,
  compute,
});
