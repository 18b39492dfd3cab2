/** Labels in Chinese: what the entries call their axes of features, and words with a number. Words of a text are an entry's own. */
import type { Defaults } from './entry.ts';

const COMMON: Readonly<Record<string, string>> = {
  above: '上',
  age: '时间远近',
  animate: '有生命',
  article: '冠词',
  below: '下',
  birthplace: '出生地',
  blue: '蓝',
  both: '两者都要',
  begin: '开始',
  'both persons': '都是人',
  'both plural': '都是复数',
  'both things': '都是物',
  'bright blue': '亮蓝',
  'bright red': '亮红',
  cell: '细胞',
  closes: '右括号',
  constant: '常数 1',
  'dark blue': '深蓝',
  'dark red': '深红',
  director: '导演',
  'end next': '接句末',
  female: '女性',
  forget: '遗忘',
  French: '法语',
  gate: '门',
  going: '去',
  green: '绿',
  greeting: '问候',
  here: '本处',
  input: '输入',
  Japanese: '日语',
  known: '在词表中',
  left: '左',
  'left edge': '左边缘',
  male: '男性',
  name: '名字',
  negation: '否定',
  negative: '贬义',
  new: '候选',
  'not both singular': '不都是单数',
  noun: '名词',
  'noun is plural': '名词为复数',
  'noun next': '接名词',
  number: '数',
  'number taken': '上一个数',
  opens: '左括号',
  output: '输出',
  person: '人',
  place: '地点',
  plural: '复数',
  position: '位置',
  'position wanted': '要找的位置',
  positive: '褒义',
  praise: '褒义',
  price: '价格',
  pronoun: '代词',
  red: '红',
  reset: '重置',
  right: '右',
  'right edge': '右边缘',
  royal: '王室',
  slope: '斜率',
  sour: '酸',
  state: '状态',
  step: '阶跃',
  sweet: '甜',
  thing: '物',
  update: '更新',
  verb: '动词',
  'verb is plural': '动词为复数',
  'verb next': '接动词',
  'where to look': '看哪里',
  write: '写入',
};

/** A word with a number, as "step 3"; # is the number. */
const NUMBERED: Readonly<Record<string, string>> = {
  base: '基 #',
  column: '第 # 列',
  first: '首词 #',
  hop: '第 # 跳',
  node: '节点 #',
  position: '位置 #',
  previous: '前一个词 #',
  pronoun: '代词 #',
  row: '第 # 行',
  'same word': '同词 #',
  score: '分数 #',
  sentence: '第 # 句',
  slope: '斜率 #',
  state: '状态 #',
  step: '第 # 步',
  token: '词元 #',
};

/** Defaults with their numbers under Chinese labels; `own` has those that are no common ones. */
export function withChineseLabels<Sample extends Pick<Defaults, 'labels'>>(
  defaults: Sample,
  own: Readonly<Record<string, string>> = {},
): Sample {
  // Axes with one list of names have one here, too: a text that attends to itself.
  const known = new Map<readonly string[], readonly string[]>();
  const translated = (axis: readonly string[]): readonly string[] => {
    const names = known.get(axis) ?? axis.map((label) => chineseLabel(label, own));
    known.set(axis, names);
    return names;
  };
  const labels = Object.entries(defaults.labels).map(
    ([name, axes]) => [name, axes.map((axis) => axis && translated(axis))] as const,
  );
  return { ...defaults, labels: Object.fromEntries(labels) };
}

/** `own` first, then a word with a number, then the common ones; else the label itself. */
function chineseLabel(label: string, own: Readonly<Record<string, string>>): string {
  const known = (name: string): string | undefined =>
    Object.hasOwn(own, name) ? own[name] : Object.hasOwn(COMMON, name) ? COMMON[name] : undefined;
  const [, word = '', number = ''] = /^(\D+) ([−\d/]+)$/.exec(label) ?? [];
  const before = Object.hasOwn(NUMBERED, word) ? NUMBERED[word] : undefined;
  return known(label) ?? before?.replace('#', number) ?? label;
}
