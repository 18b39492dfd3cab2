import type { Fovea } from '../fovea/fovea.ts';
import { xformerCost as computeCosts, type XformerCost, type XformerCostOptions } from '../mechanisms/xformer_cost.ts';
import { system } from './entry/define.ts';
import { texts } from './entry/papers.ts';
import { rowAt } from './entry/stage_values.ts';

const kinds = {
  full: {},
  local: { k: 32 },
  atrous: { k: 32 },
  sparse: { k: 32 },
  longformer: { window: 64, global: 1 },
  bigBird: { block: 16, window: 3, global: 1, random: 2 },
  reformer: { rounds: 2, chunk: 32, buckets: 32 },
  linformer: { rank: 64 },
  linear: {},
  efficient: {},
  performer: { features: 128 },
};
/** Pairs at 1024 tokens: full, local, Linformer, linear. */
const expected = { full: 1048576, local: 65504, linformer: 65536, linear: 0 };

/** The costs by kind, and as two rows over the kinds. */
function compute(fovea: Fovea, inputs: Readonly<Record<string, never>>, params: object, options: XformerCostOptions): object {
  const costs = computeCosts(fovea, inputs, params as Readonly<Record<string, never>>, options);
  const row = (name: keyof XformerCost) => {
    const data = Float64Array.from(Object.values<XformerCost>(costs), (cost) => cost[name]);
    return { data, shape: [data.length] };
  };
  return { ...costs, pairs: row('pairs'), multiplyAdds: row('multiplyAdds') };
}

export default system({
  id: 'xformer_cost',
  family: 'sparse',
  title: { en: 'Cost of the x-formers', zh: '各种 Xformer 的代价' },
  aliases: ['efficient transformers compared', 'pairs and multiply-adds', '各种 xxformer', '注意力复杂度比较'],
  notations: [
    { text: texts.chapter, writes: 'xxformer', means: { en: 'a kind of the option kinds', zh: '选项 kinds 中的一种' } },
  ],
  paper: {
    authors: 'Tay, Dehghani, Abnar, Shen, Bahri, Pham, Rao, Yang, Ruder, Metzler',
    title: 'Long Range Arena: A Benchmark for Efficient Transformers',
    year: 2020,
    url: 'https://arxiv.org/abs/2011.04006',
  },
  equation:
    '\\text{multiply-adds} = \\text{heads} \\cdot \\text{pairs} \\cdot (d + d_v),\\quad \\text{pairs}_{\\text{full}} = n^2,\\quad \\text{pairs}_{\\text{local}} = n(2k + 1) - k(k + 1)',
  parent: 'scaled_dot',
  slots: { mask: '\\text{counted, not computed}' },
  complexity: { letters: ['kinds'], sizes: { kinds: Object.keys(kinds).length }, pairs: () => 0, multiplyAdds: () => 0 },
  ranges: { 'options.n': { from: 64, to: 4096, step: 64 }, 'options.d': { from: 8, to: 256, step: 8 } },
  defaults: {
    inputs: {},
    options: { n: 1024, d: 64, kinds },
    claim: {
      text: {
        en: 'At 1024 tokens full attention scores 1048576 pairs; a window of 32 on each side leaves 65504, Linformer of rank 64 scores 65536, and linear attention none.',
        zh: '1024 个词元时，完整注意力要算 1048576 对；两边各 32 的窗口只剩 65504 对，秩为 64 的 Linformer 是 65536 对，线性注意力一对也不算。',
      },
      tolerance: 0,
      holds: (trace) => {
        const names = Object.keys(kinds);
        return Object.entries(expected).every(([kind, pairs]) => rowAt(trace, 'pairs', [])[names.indexOf(kind)] === pairs);
      },
    },
    // Twice as many tokens: four times the pairs of full attention, but about twice those of a window.
    contrast: { options: { n: 2048 } },
  },
  compute,
  stages: {
    pairs: { formula: '\\text{pairs}', axes: ['kind'] },
    multiplyAdds: { formula: '\\text{heads} \\cdot \\text{pairs} \\cdot (d + d_v)', axes: ['kind'] },
  },
});
