/** A sample stands in the reader's language: its words, what is said of them, what is asked and answered. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { load, type Fovea } from 'fovea';
import { list, run, type CatalogEntry, type Defaults } from 'fovea/catalog';
import type { Lesson } from '../../web/lessons/lesson.ts';
import type { Localized } from '../../web/shell/localized.ts';
import { loadPage } from './support/lessons.ts';

/** Words of the language that is translated from or into, by the mechanism. */
const TRANSLATED: Readonly<Record<string, readonly string[]>> = {
  bahdanau: ['la', 'zone', 'économique', 'européenne'],
  luong: ['he', 'visited', 'Beijing', 'yesterday', '他', '昨天', '去了', '北京'],
  transformer_generate: ['cats', 'chase', 'mice', '猫', '追', '老鼠', '。'],
  conv_s2s: ['die', 'schwarze', 'Katze', 'schläft', 'the', 'black', 'cat', 'sleeps'],
  multi_source: ['das', 'Flussufer', 'la', 'banque', 'rive', 'die', 'Azalee', 'the', 'cuckoo', 'azalea'],
};

/** Latin words that Chinese has as they are: units, names of functions, of marks and of models. */
const KEPT = new Set(['CLS', 'Hz', 'row', 'column', 'sin', 'cos', 'tanh', 'softmax']);

/** Words that Chinese notations keep, beside names in an entry's code and params: functions, options, results, words of other texts. */
const NAMES = new Set([
  ...['exp', 'lse', 'max', 'mean', 'sigmoid', 'softmax', 'tanh'],
  ...['atrous', 'current', 'false', 'gamma', 'local', 'readout', 'residual', 'scale', 'scaled', 'true', 'variant'],
  ...['alpha', 'beta', 'height', 'last', 'out', 'weights', 'width'],
  ...['att', 'child', 'dict', 'key', 'predict', 'state', 'sum', 'value', 'xxformer'],
]);

const HAN = /\p{Script=Han}/u;
const latinWords = (text: string): string[] => text.match(/\p{Script=Latin}{2,}/gu) ?? [];
const labelsOf = ({ labels }: Defaults): string[] => [
  ...new Set(Object.values(labels).flatMap((axes) => axes.flatMap((axis) => axis ?? []))),
];

/** English words in the Chinese of an entry's notations. Parts of `d_model`, `normFirst` and `\sqrt` are none. */
function englishIn({ notations, code, defaults }: Pick<CatalogEntry, 'notations' | 'code' | 'defaults'>): string[] {
  const named = new Set([...(code.match(/\w+/g) ?? []), ...Object.keys(defaults.params)]);
  const chinese = notations.flatMap(({ writes, means }) =>
    [writes, means].map((text) => (typeof text === 'string' ? text : text.zh)),
  );
  return chinese.filter((text) =>
    (text.match(/(?<![\p{L}\p{N}_\\])[a-z]{3,}(?![\p{L}\p{N}_])/gu) ?? []).some((word) => !named.has(word) && !NAMES.has(word)),
  );
}

/** Every text of a lesson, those of a run and of the answers among them. */
function textsOf(fovea: Fovea, lesson: Lesson, id: string, sample: Defaults, language: 'en' | 'zh'): Localized[] {
  const { question, doThis, live, contrast, history, predictions = [], textbook = [] } = lesson;
  const { trace } = run(fovea, id, sample.inputs, sample.params, sample.options);
  return [
    question,
    doThis,
    live(trace, language),
    contrast.text,
    history,
    ...predictions.flatMap((one) => [one.question, ...one.choices, one.reveal(fovea, language).shown]),
    ...textbook.flatMap(({ writes, means }) => [writes, means]),
  ];
}

/** Where the words of the other language stand. */
function strangers(fovea: Fovea, id: string, lesson: Lesson | undefined): string[] {
  const entry = list().find((one) => one.id === id)!;
  const { samples, title, notations } = entry;
  const translated = TRANSLATED[id] ?? [];
  const english = samples.en.claim.text.en;
  const written = notations.flatMap(({ text, writes, means }) => [text, writes, means]);
  const inEnglish = [
    title.en,
    english,
    ...written.map((text) => (typeof text === 'string' ? text : text.en)),
    ...(lesson ? textsOf(fovea, lesson, id, samples.en, 'en').map(({ en }) => en) : []),
  ];
  const inChinese = [
    samples.zh.claim.text.zh,
    ...(lesson ? textsOf(fovea, lesson, id, samples.zh, 'zh').map(({ zh }) => zh) : []),
  ];
  const chineseLabels = labelsOf(samples.zh);
  const foreign = new Set(
    labelsOf(samples.en)
      .flatMap(latinWords)
      .filter((word) => !translated.includes(word) && !KEPT.has(word)),
  );
  return [
    ...labelsOf(samples.en).filter((label) => HAN.test(label) && !translated.some((word) => label.includes(word))),
    ...inEnglish.filter((text) => HAN.test(text) && !translated.some((word) => text.includes(word))),
    ...chineseLabels.filter((label) => latinWords(label).some((word) => !translated.includes(word) && !KEPT.has(word))),
    ...inChinese.filter((text) => latinWords(text).some((word) => foreign.has(word))),
    ...englishIn(entry),
  ];
}

describe('samples', () => {
  let fovea: Fovea;
  let lessons: ReadonlyMap<string, Lesson>;
  before(async () => {
    fovea = await load({ deterministic: true });
    lessons = new Map((await loadPage()).lessons);
  });

  for (const { id } of list())
    test(`${id}: its words, and what is said of them, are in the reader's language`, () => {
      assert.deepEqual(strangers(fovea, id, lessons.get(id)), []);
    });

  test('English in the Chinese of a notation is found, names are not', () => {
    const alibi = list().find(({ id }) => id === 'alibi')!;
    const found = (writes: string | Localized, means: string | Localized): string[] =>
      englishIn({ ...alibi, notations: [{ text: 'PyTorch', writes, means }] });
    assert.deepEqual(found('softmax(QKᵀ) V', { en: 'the default', zh: 'causal: true、d_model、\\sqrt{d}，默认值' }), []);
    assert.deepEqual(found('one map of both', { en: 'rows', zh: '行 rows' }), ['one map of both', '行 rows']);
  });
});
