import { list as entries, run } from 'fovea/catalog';
import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';
import { rowOf, show } from './numbers.ts';

export default {
  question: { en: 'How does a summary name someone it has never heard of?', zh: '摘要怎么写出从没见过的人名？' },
  doThis: {
    en: 'Move w_c from −4 to 0, which switches coverage off, and read the four steps again.',
    zh: '把 w_c 从 −4 移到 0，也就是关掉覆盖，再看这四步。',
  },
  live: (trace) => {
    const [name, known] = [two(valueAt(trace, 'pGen', [0])), two(valueAt(trace, 'pGen', [1]))];
    const loss = show(
      rowOf(trace, 'coverageLoss').reduce((sum, x) => sum + x, 0),
      2,
    );
    return {
      en: `p_gen is ${name} at the first step and ${known} at the second: what is not in the vocabulary is copied. Coverage loss is ${loss} in all.`,
      zh: `p_gen 第 1 步是 ${name}，第 2 步是 ${known}：词表里没有的就拷贝。覆盖损失总共 ${loss}。`,
    };
  },
  contrast: {
    id: 'copy_net',
    text: {
      en: 'Here a gate p_gen mixes two distributions. In CopyNet words and positions compete in one softmax, without a gate.',
      zh: '这里由门 p_gen 混合两个分布；CopyNet 没有门，词和位置在同一个 softmax 里竞争。',
    },
  },
  history: {
    en: 'Summarizers with a fixed vocabulary wrote UNK for names, and repeated themselves. Copying and coverage (2017) answered both. Subword vocabularies and pretrained Transformers took its place.',
    zh: '词表固定的摘要模型把人名写成 UNK，还会重复。拷贝与覆盖（2017）解决了这两点；后来子词词表和预训练 Transformer 取而代之。',
  },
  predictions: [
    {
      id: 'without_coverage',
      question: {
        en: 'Coverage is switched off: w_c = 0. How large is the coverage loss over the four steps?',
        zh: '关掉覆盖，令 w_c = 0。四步的覆盖损失总共多大？',
      },
      choices: [
        { en: '0: there is nothing to cover', zh: '0：没有覆盖可言' },
        { en: 'as with coverage', zh: '与有覆盖时一样' },
        { en: 'several times as large', zh: '大好几倍' },
      ],
      reveal: (fovea) => {
        const { params } = entries().find(({ id }) => id === 'pointer_generator')!.defaults;
        const lossOf = (wc: number): number =>
          rowOf(run(fovea, 'pointer_generator', undefined, { ...params, wc: [wc] }).trace, 'coverageLoss').reduce(
            (sum, x) => sum + x,
            0,
          );
        const [without, covered] = [lossOf(0), lossOf(-4)];
        return {
          right: without === 0 ? 0 : without > 2 * covered ? 2 : 1,
          shown: {
            en: `${show(without, 2)} against ${show(covered, 2)}: every step looks where the steps before looked.`,
            zh: `${show(without, 2)}，而有覆盖时是 ${show(covered, 2)}：每一步都看前面看过的地方。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'p_gen = σ(w_h·h_t + …)', zh: 'p_gen = σ(w_h·h_t + …)' },
      means: { en: 'h*_t, the context vector, not a state of the encoder.', zh: '应为 h*_t，即上下文向量，不是编码器的状态。' },
    },
  ],
} satisfies Lesson;
