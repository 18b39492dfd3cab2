/** How axes and provenances are called, in the words of the glossary. */
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

/** Rows of values, where they are numbered as values. */
export const valueAxis: Localized = { en: 'value', zh: '值' };

const entry: Localized = { en: 'entry', zh: '项' };
/** Inputs and params have no names of their axes: rows and columns of their last two. */
export function argumentAxis(axis: number, rank: number): Localized {
  if (axis === rank - 1) return rank === 1 ? entry : axisWords.column;
  return axis === rank - 2 ? axisWords.row : { en: `axis ${axis + 1}`, zh: `第 ${axis + 1} 轴` };
}

export const provenances: Readonly<Record<Provenance, Localized>> = {
  none: { en: 'no learned parameters', zh: '没有学习来的参数' },
  designed: { en: 'set by hand', zh: '手工设定' },
  trained: { en: 'trained on a toy task', zh: '玩具任务上训练' },
  random: { en: 'random', zh: '随机' },
  yours: { en: 'yours', zh: '你的' },
};
