import { list as entries, run } from 'fovea/catalog';
import { two, valueAt } from '../stages/read_trace.ts';
import type { Lesson } from './lesson.ts';
import { rowOf } from './numbers.ts';

/** Word 7 is the first of the name, at place 4. */
const [FIRST_OF_NAME, STEPS] = [7, 5];

export default {
  question: { en: 'Can a reply repeat a name that it has never seen, word by word?', zh: '回答能把名字一个字一个字念对吗？' },
  doThis: {
    en: 'Go through the steps: the selective read marks what was copied last, and the next word follows. Then switch it off.',
    zh: '一步步走：选择性读取标出上一步拷贝的位置，接着拷贝下一个字。然后把它关掉试试。',
  },
  live: (trace) => {
    const [first, last] = [two(valueAt(trace, 'copy', [1, 4])), two(valueAt(trace, 'copy', [4, 7]))];
    return {
      en: `Step 2 copies “Pablo” with ${first}, step 5 “Picasso” with ${last}. Neither is in the vocabulary.`,
      zh: `第 2 步以 ${first} 拷贝“欧”，第 5 步以 ${last} 拷贝“远”，词表里都没有。`,
    };
  },
  contrast: {
    id: 'pointer_network',
    text: {
      en: 'A pointer network has positions only. CopyNet puts the positions and the vocabulary into one softmax, and reads again what it copied.',
      zh: '指针网络只有位置；CopyNet 把位置和词表放进同一个 softmax，还会重读刚拷贝的地方。',
    },
  },
  history: {
    en: 'Chat models answered a new name with UNK. CopyNet (2016) copies from the source and knows where it is in it. Subword vocabularies and the induction heads of Transformers do this today.',
    zh: '对话模型遇到新名字只会回答 UNK。CopyNet（2016）从原文拷贝，并记得拷贝到哪里。如今由子词词表和 Transformer 的归纳头来做。',
  },
  predictions: [
    {
      id: 'without_selective_read',
      question: {
        en: 'The selective read is switched off. What does CopyNet say after “welcome”?',
        zh: '关掉选择性读取，“欢迎”之后它会说什么？',
      },
      choices: [
        { en: 'The name, as before', zh: '照样说出名字' },
        { en: 'The first word of the name, again and again', zh: '反复说名字的第一个字' },
        { en: 'Only words of its vocabulary', zh: '只说词表里的词' },
      ],
      reveal: (fovea, language) => {
        const { labels, inputs, contrast } = entries().find(({ id }) => id === 'copy_net')!.samples[language];
        const { trace } = run(fovea, 'copy_net', undefined, contrast.params);
        const said = Array.from({ length: STEPS }, (_, t) => rowOf(trace, 'distribution', t)).map((row) => row.indexOf(Math.max(...row))); // prettier-ignore
        const vocabulary = labels['embedding']![0]!;
        const sourceIds = inputs['sourceIds'] as number[];
        const wordOf = (id: number): string => vocabulary[id] ?? labels['source']![0]![sourceIds.indexOf(id)]!;
        const copied = said.slice(1);
        const text = said.map(wordOf).join(language === 'zh' ? '' : ' ');
        return {
          right: copied.every((id) => id === FIRST_OF_NAME) ? 1 : copied.every((id) => id < vocabulary.length) ? 2 : 0,
          shown: {
            en: `It says “${text}”: the state of each step is the same after “am”, and nothing tells where it is.`,
            zh: `它说“${text}”：每一步的状态都停在“叫”之后，没有什么告诉它念到了哪里。`,
          },
        };
      },
    },
  ],
} satisfies Lesson;
