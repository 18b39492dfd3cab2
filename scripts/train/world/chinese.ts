/** The world in Chinese, cut into words. */
import {
  isWoman,
  PEOPLE,
  type Animal,
  type Color,
  type Daytime,
  type Food,
  type Person,
  type Place,
  type Thing,
} from './facts.ts';
import type { Slot } from './slots.ts';
import type { Language, Templates } from './wording.ts';

const TEMPLATES: Templates = {
  open: ['一天 {daytime} ， {who} 在 {place} 里 。'],
  join: ['{who} 也 来到 {here} 。', '{who} 和 {other:object} 在一起 。'],
  pet: ['{who:possessive} 的 {animal} 和 {who:object} 在一起 。'],
  own: ['{who?} 有 一 {thing:measure} {thing} 。'],
  ownColored: ['{who?} 有 一 {thing:measure} {color} 的 {thing} 。'],
  gain: ['{who?} 找到 了 一 {thing:measure} {thing} 。'],
  gainColored: ['{who?} 找到 了 一 {thing:measure} {color} 的 {thing} 。'],
  stock: ['{who?} 有 {number} {food:measure} {food} 。'],
  gainStock: ['{who?} 找到 了 {number} {food:measure} {food} 。'],
  want: ['{who?} 想 要 那 {thing:measure} {thing} 。', '{who?} 说 ： “ 我 想 要 那 {thing:measure} {thing} 。 ”'],
  sad: ['{who?} 很 {feeling:难过} ， 因为 {thing} 在 {holder} 那里 。'],
  happy: ['{who?} 很 {feeling:高兴} ， 因为 {who:subject} 有 {thing} 了 。', '现在 {who?} 很 {feeling:高兴} 。'],
  give: ['{who?} 把 {thing} 给 了 {other} 。', '{who?} 把 {thing} 送给 {other} 。'],
  greet: ['{who} 说 ： “ 你好 ， {other} 。 ” {other} 说 ： “ 你好 ， {again} 。 ”'],
  move: ['{who?} 去 了 {place} 。'],
  moveTogether: ['{who} 和 {other} 一起 去 了 {place} 。'],
  together: ['现在 {who} 和 {other} {agreement:都} 在 {here} 里 。'],
  follow: ['{animal} 跟着 {who:object} 。'],
  leave: ['{who?} 把 {thing} 留在 {place} 里 。'],
  find: ['{who?} 在 {here} 里 找到 了 {thing} 。'],
  askPlace: ['{who} 问 ： “ {thing} 在 哪里 ？ ” {other} 回答 ： “ 在 {there} 里 。 ”'],
  askAnswerer: ['{who} 问 ： “ {thing} 在 哪里 ？ ” {other} 回答 ： “ 在 {holder:speaker} 这里 。 ”'],
  askOther: ['{who} 问 ： “ {thing} 在 哪里 ？ ” {other} 回答 ： “ 在 {holder} 那里 。 ”'],
  more: ['{who?} 又 找到 了 {number} {food:measure} {food} 。'],
  eat: ['{who?} 吃 了 {number} {food:measure} {food} 。'],
  count: ['现在 {who?} 有 {number} {food:measure} {food} 。'],
  return: ['第二天 ， {who} 回到 了 {place} 。'],
  still: ['最后 ， {who} 还 在 {place} 里 。'],
  stillSelf: ['最后 ， {who} 还 在 {place} 里 ， {thing} 在 {holder:subject} 那里 。'],
  stillOther: ['最后 ， {who} 还 在 {place} 里 ， {thing} 在 {holder} 那里 。'],
  again: ['最后 ， {who} 又 在 {place} 里 了 。'],
  againSelf: ['最后 ， {who} 又 在 {place} 里 了 ， {thing} 在 {holder:subject} 那里 。'],
  againOther: ['最后 ， {who} 又 在 {place} 里 了 ， {thing} 在 {holder} 那里 。'],
  questionPerson: ['{who} 在 哪里 ？ 在 {there} 里 。'],
  questionThing: ['{thing} 在 哪里 ？ 在 {there} 里 。'],
  questionHolder: ['{thing} 在 谁 那里 ？ 在 {holder} 那里 。'],
  questionColor: ['{thing} 是 什么 颜色 ？ {color} 。'],
  questionCount: ['{who} 有 几 {food:measure} {food} ？ {number} {food:measure} 。'],
  over: ['<end>'],
};

const NAMES = ['小红', '小丽', '小芳', '小雪', '小明', '小刚', '小强', '小龙'];
const NUMBERS = ['零', '一', '两', '三', '四', '五', '六', '七', '八', '九'];
const ANIMALS: Readonly<Record<Animal, string>> = { bird: '小鸟', cat: '猫', dog: '狗', rabbit: '兔子' };
const DAYTIMES: Readonly<Record<Daytime, string>> = { morning: '早上', afternoon: '下午', evening: '傍晚' };
const COLORS: Readonly<Record<Color, string>> = { blue: '蓝色', green: '绿色', red: '红色', white: '白色', yellow: '黄色' };
const PLACES: Readonly<Record<Place, string>> = {
  ...{ barn: '谷仓', forest: '森林', garden: '花园', house: '屋子', kitchen: '厨房', library: '图书馆', park: '公园' },
  tower: '塔楼',
};

/** Each with its measure word. */
const NOUNS: Readonly<Record<Thing | Food, readonly [measure: string, noun: string]>> = {
  ...{ ball: ['个', '球'], book: ['本', '书'], drum: ['面', '鼓'], hat: ['顶', '帽子'], key: ['把', '钥匙'] },
  ...{ kite: ['只', '风筝'], lamp: ['盏', '灯'], letter: ['封', '信'] },
  ...{ apple: ['个', '苹果'], cookie: ['块', '饼干'], egg: ['个', '鸡蛋'], nut: ['颗', '坚果'], pear: ['个', '梨'] },
};

function personAs(person: Person, form: string): string {
  if (form === 'speaker') return '我';
  if (form !== '') return isWoman(person) ? '她' : '他';
  return NAMES[PEOPLE.indexOf(person)]!;
}

function word({ person, thing, food, place, color, animal, daytime, number }: Slot, form: string): string {
  if (person !== undefined) return personAs(person, form);
  const noun = thing ?? food;
  if (noun !== undefined) return NOUNS[noun][form === 'measure' ? 0 : 1];
  if (number !== undefined) return NUMBERS[number]!;
  if (place !== undefined) return PLACES[place];
  if (color !== undefined) return COLORS[color];
  if (animal !== undefined) return ANIMALS[animal];
  return daytime === undefined ? form : DAYTIMES[daytime];
}

const text = (words: readonly string[]): string => words.filter((word) => word !== '<end>').join('');

export const CHINESE: Language = { name: 'zh', templates: TEMPLATES, word, text };
