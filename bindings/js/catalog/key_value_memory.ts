import { keyValueMemory as compute } from '../mechanisms/key_value_memory.ts';
import { system } from './entry/define.ts';
import { texts } from './entry/papers.ts';
import { isNear, largest, rowAt, valueAt } from './entry/stage_values.ts';
import { identityMatrix, sparseMatrix } from './samples/words.ts';

const facts = [
  ['Titanic', 'director', 'Cameron'],
  ['Inception', 'director', 'Nolan'],
  ['Cameron', 'birthplace', 'Canada'],
  ['Nolan', 'birthplace', 'London'],
] as const;
const names = facts.map(([subject, relation, object]) => `${subject}, ${relation}: ${object}`);
const people = ['Cameron', 'Nolan'];
const places = ['Canada', 'London'];
const axes = ['Titanic', 'Inception', 'director', 'birthplace', ...people, ...places];
const bag = (...words: readonly string[]) => axes.map((axis) => Number(words.includes(axis)));
const keys = facts.map(([subject, relation]) => bag(subject, relation));
const values = facts.map(([, , object]) => bag(object));
/** Passes on what the next hop asks for, and forgets the rest. */
const keeps = (...words: readonly string[]) =>
  sparseMatrix(
    axes.length,
    axes.length,
    words.map((word) => [axes.indexOf(word), axes.indexOf(word), 1]),
  );

const inWords: Readonly<Record<string, string>> = {
  ...{ Titanic: '泰坦尼克号', Inception: '盗梦空间', Cameron: '卡梅隆', Nolan: '诺兰', Canada: '加拿大', London: '伦敦' },
  ...{ director: '导演', birthplace: '出生地' },
};
const inChinese = {
  ...inWords,
  ...Object.fromEntries(
    facts.map(([subject, relation, object], n) => [names[n], `${inWords[subject]}，${inWords[relation]}：${inWords[object]}`]),
  ),
};

export default system({
  id: 'key_value_memory',
  family: 'memory',
  title: { en: 'Key-value memory network', zh: '键值记忆网络' },
  aliases: ['KV-MemNN', 'key-value memory', '键值对记忆', '键-值记忆网络'],
  notations: [
    {
      text: texts.survey,
      writes: 'e_i = a(q, k_i), c = Σ_i α_i v_i',
      means: 'p_i = softmax_i(q·(Φ_K(k_i) A)), o = Σ_i p_i Φ_V(v_i) A',
    },
    {
      text: 'Miller et al. 2016',
      writes: 'q_2 = R_1(q + o)',
      means: { en: 'q_2 = (q_1 + o_1) R_1: rows, and R transposed', zh: 'q_2 = (q_1 + o_1) R_1：向量写成行，R 转置' },
    },
  ],
  paper: {
    authors: 'Miller, Fisch, Dodge, Karimi, Bordes, Weston',
    title: 'Key-Value Memory Networks for Directly Reading Documents',
    year: 2016,
    url: 'https://arxiv.org/abs/1606.03126',
    equations: 'section 3.1',
  },
  equation:
    'p_i = \\operatorname{softmax}_i(q_j \\cdot \\Phi_K(k_i) A),\\quad q_{j+1} = (q_j + \\textstyle\\sum_i p_i\\, \\Phi_V(v_i) A)\\, R_j',
  parent: 'memory_network',
  slots: { score: 'q^\\top A^\\top \\Phi_K(k_i)', value: 'A^\\top \\Phi_V(v_i)' },
  complexity: {
    letters: ['H', 'M', 'F', 'd', 'Y'],
    sizes: { H: 2, M: facts.length, F: axes.length, d: axes.length, Y: 4 },
    pairs: ({ H, M }) => H! * M!,
    multiplyAdds: ({ H, M, F, d, Y }) => (1 + 2 * M! + Y!) * F! * d! + H! * (2 * M! * d! + d! * d!) + Y! * d!,
  },
  defaults: {
    inputs: {
      question: bag('Inception', 'director', 'birthplace'),
      keys,
      values,
      candidates: [...people, ...places].map((word) => bag(word)),
    },
    params: {
      A: identityMatrix(axes.length, 3),
      R: [keeps('birthplace', ...people), keeps(...places)],
    },
    labels: {
      question: [axes],
      keys: [names, axes],
      values: [names, axes],
      candidates: [[...people, ...places], axes],
      A: [axes, axes],
      R: [['hop 1', 'hop 2'], axes, axes],
    },
    claim: {
      text: {
        en: 'Where was the director of Inception born? Hop 1 finds the key “Inception, director” (0.9996) and reads its value “Nolan”, hop 2 finds “Nolan, birthplace” (0.9999) and reads “London”.',
        zh: '《盗梦空间》的导演出生在哪里？第一跳找到键“盗梦空间，导演”（0.9996），读出它的值“诺兰”；第二跳找到“诺兰，出生地”（0.9999），读出“伦敦”。',
      },
      tolerance: 0.00005,
      holds: (trace) =>
        isNear(valueAt(trace, 'weights', [0, 1]), 0.9996, 0.00005) &&
        isNear(valueAt(trace, 'weights', [1, 3]), 0.9999, 0.00005) &&
        largest(rowAt(trace, 'probability', [])) === 3,
    },
    // Values that are their own keys give the question back.
    contrast: {
      inputs: {
        question: bag('Inception', 'director', 'birthplace'),
        keys,
        values: keys,
        candidates: [...people, ...places].map((word) => bag(word)),
      },
    },
  },
  chineseLabels: inChinese,
  compute,
});
