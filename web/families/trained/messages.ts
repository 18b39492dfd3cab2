import { plural, type Localized } from '../../shell/localized.ts';

/** What stands on every panel of checkpoints. */
export const messages = {
  checkpoint: { en: 'Checkpoint', zh: '训练阶段' },
  steps: {
    en: (n: number) => (n === 0 ? 'random, before training' : `after ${plural(n, 'step')} of training`),
    zh: (n: number) => (n === 0 ? '随机，训练之前' : `训练 ${n} 步之后`),
  },
  play: { en: 'Play the training', zh: '播放训练过程' },
  pause: { en: 'Pause', zh: '暂停' },
  earlier: { en: 'Earlier', zh: '更早' },
  later: { en: 'Later', zh: '更晚' },
  accuracy: { en: 'right on examples kept from training', zh: '在没有训练过的样例上的正确率' },
  loss: { en: 'loss', zh: '损失' },
  chance: { en: (share: string) => `guessing gives ${share}`, zh: (share: string) => `随便猜是 ${share}` },
  example: { en: 'Another example', zh: '换一个样例' },
  reads: { en: 'It reads', zh: '读入' },
  says: { en: 'It says', zh: '回答' },
  right: { en: 'Right is', zh: '正确答案' },
  about: {
    en: (parameters: string, seed: number) => `${plural(parameters, 'number')}, trained on a toy task, seed ${seed}`,
    zh: (parameters: string, seed: number) => `${parameters} 个参数，玩具任务上训练，随机种子 ${seed}`,
  },
  weight: { en: 'attention weight', zh: '注意力权重' },
  row: { en: 'step', zh: '步' },
  col: { en: 'input', zh: '输入' },
  failed: { en: 'The trained weights did not arrive', zh: '训练好的参数没有加载成功' },
  retry: { en: 'Try again', zh: '再试一次' },
} satisfies Record<string, Localized<unknown>>;

export const models = {
  bahdanau: {
    task: { en: 'Reverse the letters of a word', zh: '把一个词的字母倒过来' },
    forms: {
      en: 'The decoder writes one letter a row. With training the weights move onto the anti-diagonal: the last letter is read first.',
      zh: '解码器每行写一个字母。训练越久，权重越集中到反对角线上：最后一个字母最先被读。',
    },
  },
  pointer_network: {
    task: { en: 'Point at numbers in rising order', zh: '按从小到大的顺序指出数字' },
    forms: {
      en: 'Each row is a step, and its weights are the answer itself: the position it points at. At first every number gets about as much.',
      zh: '每行是一步，权重本身就是答案：指向哪个位置。一开始各个数字得到的差不多。',
    },
  },
  self_attention: {
    task: { en: 'Continue a phrase that came before', zh: '接着说前面出现过的片段' },
    forms: {
      en: 'A head of layer 1 learns to look one word back. Only then can a head of layer 2 find what followed the last word the time before.',
      zh: '第 1 层的一个头学会看前一个词；在这之后，第 2 层的一个头才能找到「上一次这个词后面是什么」。',
    },
  },
  hierarchical_attention: {
    task: { en: 'Judge four sentences by the one that says “overall”', zh: '四句话里，以含 overall 的那句判断褒贬' },
    forms: {
      en: 'At first all sentences and all words weigh the same. Training gives the sentence with “overall” its weight, and within it the word that praises or blames.',
      zh: '一开始各句、各词的权重都一样。训练之后，含 overall 的那句得到大部分权重，句中褒贬的那个词也是。',
    },
  },
  pointer_generator: {
    task: { en: 'List the names of a text', zh: '列出一段话里的人名' },
    forms: {
      en: 'Most names are not in the vocabulary, so they are copied: a row’s weight comes to stand on the name that it writes.',
      zh: '多数名字不在词表里，只能拷贝：每一行的权重渐渐落在它写出的名字上。',
    },
  },
  attention_over_attention: {
    task: { en: 'Say who X is', zh: '说出 X 是谁' },
    forms: {
      en: 'β comes to rest on X, whose state has read the whole question, and s on the right name.',
      zh: 'β 集中到 X 上，因为它的状态读过整个问题；s 集中到正确的名字上。',
    },
  },
  key_value_memory: {
    task: { en: 'Say where a thing is, by two facts', zh: '由两条事实说出东西在哪里' },
    forms: {
      en: 'Hop 1 finds the fact who has the thing, hop 2 the fact where that person is.',
      zh: '第 1 跳找到东西在谁那里，第 2 跳找到这个人在哪里。',
    },
  },
  graph_attention: {
    task: { en: 'Say to which community each node belongs', zh: '说出每个节点属于哪个群体' },
    forms: {
      en: 'Each row is a node, with the weights of its neighbors. With training they go to the neighbors that know (●), away from those that only guess (○). Pairs without an edge are hatched.',
      zh: '每行是一个节点，列出它各邻居的权重。训练之后权重移到知情的邻居（●），离开瞎猜的（○）。没有边的格子画斜线。',
    },
  },
  pictures: {
    places: { en: 's: the weights of the document’s positions', zh: 's：文档各位置的权重' },
    beta: { en: 'β: weights of the question’s words, for each word of the document', zh: 'β：对文档每个词，问题各词的权重' },
    hops: { en: 'weights of the facts: a row for each hop', zh: '各条事实的权重：每跳一行' },
    neighbors: (head: number): Localized => ({
      en: `weights of the neighbors, head ${head}`,
      zh: `第 ${head} 个头给邻居的权重`,
    }),
    steps: { en: 'weights: a row for each step', zh: '权重：每步一行' },
    head: (layer: number, head: number): Localized => ({
      en: `weights of layer ${layer}, head ${head}`,
      zh: `第 ${layer} 层第 ${head} 个头的权重`,
    }),
    sentences: { en: 'weights of the sentences', zh: '各句的权重' },
    words: { en: 'weights of the words within each sentence', zh: '每句中各词的权重' },
  },
};
