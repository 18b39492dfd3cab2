import type { Lesson } from './lesson.ts';
import { computed, isNear, rowOf, show } from './numbers.ts';

const NOUN = 1;

export default {
  question: {
    en: 'One word has two meanings: can a second language decide between them?',
    zh: '一个词有两个意思：再给一种语言的原文，能分清吗？',
  },
  doThis: {
    en: 'Step to the noun and switch the German source off, then on: which French noun wins?',
    zh: '走到名词这一步，关掉德语原文，再打开：哪个名词胜出？',
  },
  live: (trace) => {
    const [, bank = 0, shore = 0] = rowOf(trace, 'probability', NOUN);
    return {
      en: `For the noun, “banque” has the probability ${show(bank)}, “rive” ${show(shore)}.`,
      zh: `名词这一步，cuckoo（鸟）的概率是 ${show(bank)}，azalea（花）的概率是 ${show(shore)}。`,
    };
  },
  contrast: {
    id: 'luong_local',
    text: {
      en: 'Each source has a window and weights of its own, by local-p. The two context vectors stand side by side before the next word is chosen.',
      zh: '每个源语言各有自己的窗口和权重，用的都是预测对齐。选下一个词之前，两个上下文向量并排放在一起。',
    },
  },
  history: {
    en: 'A sentence in one language may be ambiguous, and many texts exist in several. Zoph and Knight (2016) gave a decoder two encoders. Today one model reads all sources as one long text.',
    zh: '单一语言的句子可能有歧义，而许多文本有多种语言的版本。Zoph 和 Knight（2016）给解码器配了两个编码器。如今一个模型把所有原文当作一段长文本来读。',
  },
  predictions: [
    {
      id: 'second_source_off',
      question: {
        en: 'The German sentence is taken away. Which French noun wins for “bank”?',
        zh: '拿走德语句子。对“杜鹃”，哪个英语名词胜出？',
      },
      choices: [
        { en: 'banque', zh: 'cuckoo（鸟）' },
        { en: 'rive', zh: 'azalea（花）' },
        { en: 'Neither', zh: '不分上下' },
      ],
      reveal: (fovea) => {
        const [, bank = 0, shore = 0] = computed(
          fovea,
          'multi_source',
          'probability',
          { options: { source2Lengths: 0 } },
          (trace, name) => rowOf(trace, name, NOUN),
        );
        return {
          right: isNear([bank], [shore]) ? 2 : bank > shore ? 0 : 1,
          shown: {
            en: `“banque” ${show(bank)}, “rive” ${show(shore)}: “bank” by itself says both.`,
            zh: `cuckoo ${show(bank)}，azalea ${show(shore)}：单看“杜鹃”，鸟和花两个意思都有。`,
          },
        };
      },
    },
  ],
  textbook: [
    {
      writes: { en: 'i_f, u_f, o_f, c_f in the child-sum combination', zh: 'child-sum 组合里写 i_f、u_f、o_f、c_f' },
      means: {
        en: 'i, u, o and c: only the forget gate has one version for each source.',
        zh: '应为 i、u、o、c：只有遗忘门是每个源语言各有一个。',
      },
    },
  ],
} satisfies Lesson;
