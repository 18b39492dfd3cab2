import type { Localized } from '../shell/localized.ts';

/** What pictures say, whatever they show. */
export const messages = {
  /** "query 它, key 猫, weight 0.50, 2nd of 8" */
  reading: {
    en: (place: string, quantity: string, value: string, rank: number, count: number) =>
      `${place}, ${quantity} ${value}, ${ordinal(rank)} of ${count}`,
    zh: (place: string, quantity: string, value: string, rank: number, count: number) =>
      `${place}，${quantity} ${value}，${count} 个中第 ${rank} 大`,
  },
  at: {
    en: (rowAxis: string, row: string, colAxis: string, col: string) => places([rowAxis, row], [colAxis, col]).join(', '),
    zh: (rowAxis: string, row: string, colAxis: string, col: string) => places([rowAxis, row], [colAxis, col]).join('，'),
  },
  perMatrix: { en: 'one scale for the whole matrix', zh: '整个矩阵共用一个色标' },
  perAll: { en: 'one scale for all pictures', zh: '各图共用一个色标' },
  perRow: { en: 'a scale for each row', zh: '每行各用一个色标' },
  perColumn: { en: 'a scale for each column', zh: '每列各用一个色标' },
  eachRow: { en: 'Row by row', zh: '逐行' },
  eachColumn: { en: 'Column by column', zh: '逐列' },
  largest: { en: 'largest', zh: '最大值' },
  log: { en: 'Logarithmic', zh: '对数' },
  masked: { en: 'hatched: masked', zh: '斜线：被掩码' },
  picture: { en: 'Picture', zh: '图' },
  /** What the colors of an exported picture say. */
  legend: {
    en: (isSigned: boolean, end: string, scope: string, log: string) =>
      [`color from ${isSigned ? `−${end}` : '0'} to ${end}`, scope, log.toLowerCase()].filter((part) => part !== '').join(', '),
    zh: (isSigned: boolean, end: string, scope: string, log: string) =>
      [`颜色从 ${isSigned ? `−${end}` : '0'} 到 ${end}`, scope, log].filter((part) => part !== '').join('，'),
  },
  /** The seed by which a pattern or a feature map is drawn. */
  seed: { en: (seed: number) => `random by definition, seed ${seed}`, zh: (seed: number) => `按定义随机，随机种子 ${seed}` },
  more: { en: (name: string) => `Show or save: ${name}`, zh: (name: string) => `显示或保存：${name}` },
  saveAs: { en: (kind: string) => `Save as ${kind}`, zh: (kind: string) => `存为 ${kind}` },
  notSaved: { en: 'This browser could not make the file.', zh: '浏览器没能生成这个文件。' },
  savePicture: { en: 'Save a picture', zh: '保存图片' },
  showTable: { en: 'Table', zh: '表格' },
} satisfies Record<string, Localized<unknown>>;

/** Of a list and of a single number, an axis or both have neither a title nor labels. */
const places = (...axes: readonly (readonly [title: string, label: string])[]): string[] =>
  axes.map((axis) => axis.join(' ').trim()).filter((place) => place !== '');

function ordinal(n: number): string {
  const tens = n % 100;
  const ending = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${ending}`;
}
