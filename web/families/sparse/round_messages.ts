import type { Localized } from '../../shell/localized.ts';

/** What the picture of Reformer's buckets says. */
export const messages = {
  rounds: { en: 'Rounds', zh: '轮数' },
  fewer: { en: 'One round less', zh: '少一轮' },
  more: { en: 'One round more', zh: '多一轮' },
  tokens: { en: 'Tokens', zh: '词元数' },
  redraw: { en: 'Draw again', zh: '重新抽取' },
  query: { en: 'query', zh: '查询' },
  key: { en: 'key', zh: '键' },
  weight: { en: 'weight', zh: '权重' },
  circles: { en: 'Buckets of each round; lit: those who share one with the chosen token', zh: '各轮的桶；亮的与所选词元同桶' },
  help: { en: 'Choose a token with the left and right keys.', zh: '用左右键选择词元。' },
} satisfies Record<string, Localized>;

export const sentences = {
  ofRounds: { en: (n: number) => `of ${n}`, zh: (n: number) => `最多 ${n} 轮` },
  roundN: { en: (n: number) => `round ${n}`, zh: (n: number) => `第 ${n} 轮` },
  kept: {
    en: (kept: number, all: number) => `${kept} of ${all} pairs of two tokens share a bucket in some round.`,
    zh: (kept: number, all: number) => `两两共 ${all} 对，有 ${kept} 对在某一轮同桶。`,
  },
  missed: {
    en: (missed: number, rounds: number) =>
      missed === 0
        ? `No token misses its closest one after ${rounds} ${rounds === 1 ? 'round' : 'rounds'}.`
        : `Marked: ${missed} ${missed === 1 ? 'token misses' : 'tokens miss'} the closest one, in all rounds.`,
    zh: (missed: number, rounds: number) =>
      missed === 0 ? `${rounds} 轮之后，没有词元漏掉最相近的同伴。` : `标出的：${missed} 个词元在每一轮都漏掉了最相近的同伴。`,
  },
  seed: { en: (seed: number) => `Random by definition, seed ${seed}.`, zh: (seed: number) => `按定义随机，随机种子 ${seed}。` },
  shared: {
    en: (name: string, round: number, others: string) => `${name}, round ${round}: ${others || 'alone'}`,
    zh: (name: string, round: number, others: string) => `${name}，第 ${round} 轮：${others || '独自一桶'}`,
  },
} satisfies Record<string, Localized<unknown>>;
