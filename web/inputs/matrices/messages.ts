import { plural, type Localized } from '../../shell/localized.ts';

const named = (name: string): { en: string; zh: string } =>
  name === '' ? { en: 'The matrix', zh: '矩阵' } : { en: `Matrix ${name.slice(0, 40)}`, zh: `矩阵 ${name.slice(0, 40)} ` };

/** Why matrices that a visitor brought cannot be used: what was expected, what came. */
export const messages = {
  nothing: { en: 'There are no numbers here yet.', zh: '这里还没有数字。' },
  notJson: {
    en: 'This begins as JSON but is not valid JSON. Expected an array of rows of numbers, or an object with a matrix under each name.',
    zh: '开头像 JSON，但不是合法的 JSON。应为由数字行组成的数组，或以矩阵名为键的对象。',
  },
  notNumber: (cell: string, row: number, col: number): Localized => ({
    en: `Expected a number in row ${row}, column ${col}, got “${cell}”.`,
    zh: `第 ${row} 行第 ${col} 列应为数字，得到“${cell}”。`,
  }),
  ragged: (row: number, came: number, expected: number): Localized => ({
    en: `Row ${row} has ${plural(came, 'number')}; the rows before it have ${expected}.`,
    zh: `第 ${row} 行有 ${came} 个数，前面各行有 ${expected} 个。`,
  }),
  notMatrix: (name: string, came: string): Localized => ({
    en: `${named(name).en} must be rows of numbers, got ${came}.`,
    zh: `${named(name).zh}应为由数字组成的行，得到 ${came}。`,
  }),
  tooLong: (name: string, came: number, most: number): Localized => ({
    en: `${named(name).en} has ${came} rows or columns; at most ${most} are shown.`,
    zh: `${named(name).zh}有 ${came} 行或列，最多显示 ${most}。`,
  }),
  tooMany: (came: number, most: number): Localized => ({
    en: `The file has ${came} matrices; at most ${most} are read.`,
    zh: `文件有 ${came} 个矩阵，最多读取 ${most} 个。`,
  }),
  longText: (came: number, most: number): Localized => ({
    en: `The text has ${plural(came, 'character')}; at most ${most} are read.`,
    zh: `文本有 ${came} 个字符，最多读取 ${most} 个。`,
  }),
  noPlace: (names: string, expected: string): Localized => ({
    en: `No matrix of this page has a name of the file (${names}). Expected ${expected}.`,
    zh: `文件里的名称（${names}）在本页没有对应的矩阵，应为 ${expected}。`,
  }),
  damaged: (reason: string): Localized => ({ en: `The file cannot be read: ${reason}`, zh: `无法读取文件：${reason}` }),
};

/** What stands beside the field. */
export const controls = {
  title: { en: 'Own matrices', zh: '自己的矩阵' },
  explain: {
    en: 'Paste rows of numbers, CSV or JSON, or open a CSV, JSON, npy or safetensors file. Other sizes are taken where the matrices fit each other: bring those that change together, as k and v of one JSON object or in one file. Nothing leaves this page.',
    zh: '粘贴由数字组成的行、CSV 或 JSON，或打开 CSV、JSON、npy、safetensors 文件。只要各矩阵互相匹配，也可以是别的大小：需要一起改的请一次给出，如 JSON 对象的 k 和 v，或放在一个文件里。内容不会离开本页。',
  },
  matrix: { en: 'Matrix', zh: '矩阵' },
  numbers: { en: 'Numbers', zh: '数字' },
  use: { en: 'Use these numbers', zh: '使用这些数字' },
  open: { en: 'Open a file', zh: '打开文件' },
} satisfies Record<string, Localized>;
