import { attention, attentionWork } from './calls/attention_call.ts';
import { option } from './entry/define.ts';
import { texts } from './entry/papers.ts';
import { isNear, stageOf } from './entry/stage_values.ts';
import { readableWords } from './samples/words.ts';

const fruits = ['apple', 'pear', 'grape'];
const { vectors, axes } = readableWords(fruits);
const prices = [[3], [5], [8]];

export default option({
  id: 'key_value',
  family: 'basics',
  title: { en: 'Key-value attention', zh: '键值对注意力' },
  aliases: ['key-value pairs', '键值对模式', '键值注意力'],
  notations: [
    {
      text: texts.survey,
      writes: {
        en: 'plain mode (Key=Value=X) and key-value mode (Key!=Value)',
        zh: '普通模式（Key=Value=X）和键值对模式（Key!=Value）',
      },
      means: { en: 'v = k, and v of its own', zh: '前者 v = k，后者 v 另有其值' },
    },
    {
      text: texts.notes,
      writes: 'V softmax(KᵀQ)',
      means: { en: 'columns are tokens: the transpose of softmax(QKᵀ) V', zh: '每一列是一个词元：是 softmax(QKᵀ) V 的转置' },
    },
  ],
  paper: {
    authors: 'Miller, Fisch, Dodge, Karimi, Bordes, Weston',
    title: 'Key-Value Memory Networks for Directly Reading Documents',
    year: 2016,
    url: 'https://arxiv.org/abs/1606.03126',
    equations: '§3.1',
  },
  equation: '\\operatorname{softmax}(Q K^\\top)\\, V,\\quad V \\ne K',
  parent: 'dot',
  slots: { value: 'v_j \\ne k_j' },
  complexity: { ...attentionWork, sizes: { H: 1, Tq: 3, Tk: 3, D: axes.length, Dv: 1 } },
  ranges: { 'options.scale': { from: 0, to: 20, step: 1 } },
  code: 'fovea.attention(q, k, v, { scale, returnWeights: true })',
  defaults: {
    inputs: { q: vectors, k: vectors, v: prices },
    options: { scale: 10 },
    labels: { q: [fruits, axes], k: [fruits, axes], v: [fruits, ['price']] },
    claim: {
      text: {
        en: 'What is compared and what is returned are two things: asked for a fruit, the three rows give its price, 3.00, 5.00 and 8.00. With V = K they would give the fruit back.',
        zh: '拿来比较的是键，取出来的是值：按水果的名字查，三行输出依次是价格 3.00、5.00、8.00。若 V = K，取回的只是水果本身。',
      },
      tolerance: 0.005,
      holds: (trace) => {
        const { data, shape } = stageOf(trace, 'output');
        return shape[1] === 1 && prices.every(([price], i) => isNear(data[i]!, price!, 0.005));
      },
    },
    contrast: { inputs: { q: vectors, k: vectors, v: vectors } },
  },
  chineseLabels: { apple: '苹果', pear: '梨', grape: '葡萄' },
  compute: attention,
});
