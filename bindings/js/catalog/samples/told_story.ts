/** A story in which who is where has to be found by whom, and its question, in the words of one language. */
export interface Told {
  readonly story: readonly (readonly string[])[];
  readonly question: readonly string[];
  /** Between two words of a sentence. */
  readonly space: string;
  readonly things: readonly [asked: string, other: string];
  readonly people: readonly string[];
  readonly went: string;
  readonly where: string;
  /** The last of them is the answer. */
  readonly places: readonly string[];
  /** Chinese names of the axes that are no words. */
  readonly going: string;
  readonly age: string;
}

export const englishStory: Told = {
  story: [
    'john took the football',
    'john went to kitchen',
    'mary went to garden',
    'john went to bedroom',
    'mary took the milk',
  ].map((sentence) => sentence.split(' ')),
  question: 'where is the football'.split(' '),
  space: ' ',
  things: ['football', 'milk'],
  people: ['john', 'mary'],
  went: 'went',
  where: 'where',
  places: ['kitchen', 'garden', 'bedroom'],
  going: 'going',
  age: 'age',
};
export const chineseStory: Told = {
  story: [
    ['小明', '拿起', '足球'],
    ['小明', '去了', '厨房'],
    ['小红', '去了', '花园'],
    ['小明', '去了', '卧室'],
    ['小红', '拿起', '牛奶'],
  ],
  question: ['足球', '在', '哪里'],
  space: '',
  things: ['足球', '牛奶'],
  people: ['小明', '小红'],
  went: '去了',
  where: '哪里',
  places: ['厨房', '花园', '卧室'],
  going: '去',
  age: '时间远近',
};
