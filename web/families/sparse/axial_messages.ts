import type { Localized } from '../../shell/localized.ts';

/** What the picture of axial attention says. Rows and columns are glossed: Taiwan exchanges their names. */
export const messages = {
  order: { en: 'Passes', zh: '两遍' },
  rowColumn: { en: 'row, then column', zh: '先行（row）后列' },
  columnRow: { en: 'column, then row', zh: '先列（column）后行' },
  rowRow: { en: 'row twice', zh: '两遍都沿行' },
  picture: { en: 'Picture', zh: '图像' },
  row: { en: 'row', zh: '行（row）' },
  column: { en: 'column', zh: '列（column）' },
  both: { en: 'after both', zh: '两遍之后' },
  steps: { en: 'What the chosen pixel sees', zh: '所选像素看到什么' },
  rowTitle: { en: 'row', zh: '行' },
  columnTitle: { en: 'column', zh: '列' },
  weight: { en: 'weight', zh: '权重' },
  share: { en: 'share in the output', zh: '在输出中所占的份额' },
} satisfies Record<string, Localized>;

export const sentences = {
  pass: { en: (n: number, axis: string) => `${n}: along its ${axis}`, zh: (n: number, axis: string) => `${n}：沿${axis}` },
  rowN: { en: (n: number) => String(n), zh: (n: number) => String(n) },
  pairs: {
    en: (pairs: string, all: string) => `Both passes together: ${pairs} pairs; all pairs would be ${all}.`,
    zh: (pairs: string, all: string) => `两遍共 ${pairs} 对；所有配对是 ${all} 对。`,
  },
  formula: {
    en: (count: string) => `Formula: n(h + w) = ${count}.`,
    zh: (count: string) => `公式：n(h + w) = ${count}。`,
  },
  held: {
    en: (held: number, all: number) => `After both, the chosen pixel holds something of ${held} of ${all} pixels.`,
    zh: (held: number, all: number) => `两遍之后，所选像素含有 ${all} 个像素中 ${held} 个的内容。`,
  },
} satisfies Record<string, Localized<unknown>>;
