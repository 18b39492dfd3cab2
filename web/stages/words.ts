/** How axes and stages are called, in the words of the glossary. */
import type { TraceAxis } from 'fovea';
import type { Provenance } from 'fovea/catalog';
import type { Localized } from '../shell/localized.ts';

export const axisWords: Readonly<Record<TraceAxis, Localized>> = {
  batch: { en: 'batch', zh: '批' },
  head: { en: 'head', zh: '头' },
  query: { en: 'query', zh: '查询' },
  key: { en: 'key', zh: '键' },
  token: { en: 'token', zh: '词元' },
  feature: { en: 'component', zh: '分量' },
  valueFeature: { en: 'value component', zh: '值的分量' },
  step: { en: 'step', zh: '步' },
  word: { en: 'word', zh: '词' },
  layer: { en: 'layer', zh: '层' },
  row: { en: 'row', zh: '行（row）' },
  column: { en: 'column', zh: '列（column）' },
  edge: { en: 'edge', zh: '边' },
  round: { en: 'round', zh: '轮' },
  hop: { en: 'hop', zh: '跳' },
  sentence: { en: 'sentence', zh: '句子' },
  memory: { en: 'memory slot', zh: '记忆槽' },
  candidate: { en: 'candidate', zh: '候选' },
  class: { en: 'class', zh: '类别' },
  base: { en: 'base', zh: '基' },
  kind: { en: 'kind', zh: '种类' },
};

const entry: Localized = { en: 'entry', zh: '项' };
/** Inputs and params have no names of their axes: rows and columns of their last two. */
export function argumentAxis(axis: number, rank: number): Localized {
  if (axis === rank - 1) return rank === 1 ? entry : axisWords.column;
  return axis === rank - 2 ? axisWords.row : { en: `axis ${axis + 1}`, zh: `第 ${axis + 1} 轴` };
}

/** Stages whose names are terms; those of one mechanism keep the name they have in the package. */
const stageWords: Readonly<Record<string, Localized>> = {
  input: { en: 'input', zh: '输入' },
  query: { en: 'query', zh: '查询' },
  key: { en: 'key', zh: '键' },
  value: { en: 'value', zh: '值' },
  positions: { en: 'positional encoding', zh: '位置编码' },
  projectedQuery: { en: 'projected query', zh: '投影后的查询' },
  projectedKey: { en: 'projected key', zh: '投影后的键' },
  queryFeatures: { en: 'feature map of the query', zh: '查询的特征映射' },
  keyFeatures: { en: 'feature map of the key', zh: '键的特征映射' },
  scores: { en: 'score', zh: '分数' },
  scaled: { en: 'scaled score', zh: '缩放后的分数' },
  masked: { en: 'score with bias and mask', zh: '加偏置与掩码后的分数' },
  similarity: { en: 'similarity', zh: '相似度' },
  normalizer: { en: 'normalizer', zh: '归一化项' },
  numerator: { en: 'numerator', zh: '分子' },
  denominator: { en: 'denominator', zh: '分母' },
  state: { en: 'state', zh: '状态' },
  weights: { en: 'weight', zh: '权重' },
  heads: { en: 'heads side by side', zh: '拼接的各头' },
  output: { en: 'output', zh: '输出' },
  context: { en: 'context vector', zh: '上下文向量' },
  states: { en: 'hidden state', zh: '隐状态' },
  probability: { en: 'probability', zh: '概率' },
  logits: { en: 'logits', zh: '分数（softmax 之前）' },
  coverage: { en: 'coverage', zh: '覆盖' },
  gate: { en: 'gate', zh: '门' },
  resetGate: { en: 'reset gate', zh: '重置门' },
  updateGate: { en: 'update gate', zh: '更新门' },
  newState: { en: 'candidate state', zh: '候选状态' },
  inputGate: { en: 'input gate', zh: '输入门' },
  forgetGate: { en: 'forget gate', zh: '遗忘门' },
  cellInput: { en: 'candidate cell', zh: '候选细胞状态' },
  outputGate: { en: 'output gate', zh: '输出门' },
  cellState: { en: 'cell state', zh: '细胞状态' },
  memory: { en: 'memory', zh: '记忆' },
  alignment: { en: 'alignment', zh: '对齐' },
};

export const stageName = (name: string): Localized => stageWords[name] ?? { en: name, zh: name };

export const provenances: Readonly<Record<Provenance, Localized>> = {
  none: { en: 'no learned parameters', zh: '没有学习来的参数' },
  designed: { en: 'set by hand', zh: '手工设定' },
  trained: { en: 'trained on a toy task', zh: '玩具任务上训练' },
  random: { en: 'random', zh: '随机' },
  yours: { en: 'yours', zh: '你的' },
};
