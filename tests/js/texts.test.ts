/** The text files of the page: no key, no slot and no file that one language lacks, and each text is used. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceFiles } from './support/repository.ts';
import { compileTexts, readTexts, slotsIn, textFiles, textModules, textNames, type Language } from './support/texts.ts';

test('every text and every slot is there in both languages', () => {
  const sources = { en: textFiles('en'), zh: textFiles('zh') };
  const sourceOf = (language: Language, name: string): string =>
    sources[language].find((file) => file.name === name)?.text ?? '';
  const names = textNames();
  assert.ok(names.length > 70, String(names.length));
  const faults = names.flatMap((name) => compileTexts(name, { en: sourceOf('en', name), zh: sourceOf('zh', name) }).faults);
  assert.deepEqual(faults, []);
});

/** Texts whose slots Chinese has in another order, mostly the whole before its part, and that order. */
const CHINESE_ORDER: Readonly<Record<string, string>> = {
  'attention_sum_reader: one_queen_less.shown': 'before queen',
  'axial: axial_pairs.shown': 'all kept share',
  'comparison: refusals.params': 'a names own b brought',
  'comparison: scale': 'owner scale',
  'element: cut': 'total shown',
  'family_beyond_text: kept': 'all kept',
  'family_sparse: kept': 'all kept density',
  'family_sparse: reached': 'layers all reached',
  'figures: reading': 'place quantity value count rank',
  'learn_heads: head_off.shown': 'before after moved',
  'learn_matrix: sum': 'word rows parts total',
  'own_model: cut': 'total shown',
  'reformer: live': 'weight all kept',
  'reformer: longer_vector_same_bucket.shown': 'count moved buckets',
  'sound: kept': 'all kept',
  'sparse_axial: held': 'all held',
  'sparse_rounds: kept': 'all kept',
  'speech_self_attention: kept_pairs.shown': 'all kept',
  'text: words': 'words all pairs',
};

test('the slots of a text have one order in both languages: a slot that is swapped with another is found', () => {
  const orders = (name: string, language: Language): Map<string, string> => {
    const { texts } = readTexts(textFiles(language).find((file) => file.name === name)!.text, language);
    return new Map([...texts].map(([key, { parts }]) => [key, [...new Set(slotsIn(parts))].join(' ')]));
  };
  const turned: Record<string, string> = {};
  for (const name of textNames()) {
    const [english, chinese] = [orders(name, 'en'), orders(name, 'zh')];
    for (const [key, order] of chinese) if (order !== english.get(key)) turned[`${name}: ${key}`] = order;
  }
  assert.deepEqual(turned, CHINESE_ORDER);
});

/** The faults of two files. */
const faultsOf = (en: string, zh: string): readonly string[] => compileTexts('x', { en, zh }).faults;

test('a name or a slot that one language lacks is found', () => {
  assert.deepEqual(faultsOf('a = { $n } words', 'a = { $n } 个词'), []);
  assert.deepEqual(faultsOf('a = one\nb = two', 'a = 一'), ['web/texts/zh/x.ftl: "b" is missing']);
  assert.deepEqual(faultsOf('a =\n    .b = one', 'a =\n    .c = 一'), [
    'web/texts/en/x.ftl: "a.c" is missing',
    'web/texts/zh/x.ftl: "a.b" is missing',
  ]);
  assert.deepEqual(faultsOf('a = { $n } words', 'a = 几个词'), ['web/texts/zh/x.ftl: "a" lacks the slot { $n }']);
  assert.deepEqual(faultsOf('a = { $n } words', 'a = { $m } 个词'), [
    'web/texts/en/x.ftl: "a" lacks the slot { $m }',
    'web/texts/zh/x.ftl: "a" lacks the slot { $n }',
  ]);
  const inVariant = 'a = { $n ->\n    [one] a word\n   *[other] { $m } words\n}';
  assert.deepEqual(faultsOf(inVariant, 'a = { $n } 个词'), ['web/texts/zh/x.ftl: "a" lacks the slot { $m }']);
});

test('what cannot be read is found, with its line', () => {
  assert.deepEqual(faultsOf('a = one\nb', 'a = 一\nb = 二'), [
    'web/texts/en/x.ftl, line 2: Expected token: "="',
    'web/texts/en/x.ftl: "b" is missing',
  ]);
  assert.deepEqual(faultsOf('a = one\na = two', 'a = 一'), ['web/texts/en/x.ftl, line 2: "a" is there twice']);
  assert.deepEqual(faultsOf('a = { FIRST($n) }', 'a = { $n }'), [
    'web/texts/en/x.ftl, line 1: "a": the only function is ORDINAL($slot), not FIRST',
    'web/texts/en/x.ftl: "a" lacks the slot { $n }',
  ]);
  assert.match(faultsOf('a = { $n }', 'a = { $n ->\n    [one] 一\n   *[other] 多\n}')[0]!, /no plural form \[one\]/);
  assert.match(faultsOf('a = one\n    .b = two', 'a = 一')[0]!, /"a" has a text and attributes/);
});

/** The module of a text, run as JavaScript. */
async function textOf(en: string, zh: string): Promise<Record<Language, unknown>> {
  const { code, faults } = compileTexts('x', { en, zh });
  assert.deepEqual(faults, []);
  const script = code.replace(/^import .*$/gm, '').replace(/: Slots<[^>]*>/g, '');
  const { a } = (await import(`data:text/javascript,${encodeURIComponent(script)}`)) as { a: Record<Language, unknown> };
  return a;
}

test('texts are joined, filled and chosen as they are written', async () => {
  assert.deepEqual(await textOf('a = The query[[查询]]\n    asks.', 'a = 查询[[query]]\n    提问。'), {
    en: 'The query\ufffa查询\ufffb asks.',
    zh: '查询\ufffaquery\ufffb提问。',
  });
  assert.deepEqual(await textOf('a = { "s_{t−1}" } isn’t `s`', 'a = { " " }状态'), { en: 's_{t−1} isn’t `s`', zh: ' 状态' });
  const { en, zh } = (await textOf(
    'a = { $n ->\n    [0] Nothing\n    [one] { $n } word\n   *[other] { $n } words\n} { $on ->\n    [true] on\n   *[false] off\n}',
    'a = { $n } 个词{ $on ->\n    [true] 开\n   *[false] 关\n}',
  )) as Record<Language, (slots: object) => string>;
  assert.deepEqual(
    [0, 1, '1', 2].map((n) => en({ n, on: true })),
    ['Nothing on', '1 word on', '1 word on', '2 words on'],
  );
  assert.equal(zh({ n: 1, on: false }), '1 个词关');
});

test('every text is used', async () => {
  const sources = sourceFiles('web', '.ts', '.svelte').map(({ text }) => text);
  const unused = [...(await textModules())].flatMap(([name, texts]) => {
    const users = sources.filter((text) => text.includes(`build/generated/texts/${name}.ts`));
    // A text that is read by a computed name (texts[key]), or handed on with its module (searched_pages.ts), counts as used.
    return users.length === 0
      ? [name]
      : Object.keys(texts as object)
          .filter((key) => !users.some((text) => new RegExp(`\\b${key}\\b|texts\\[`).test(text)))
          .map((key) => `${name}: ${key}`);
  });
  assert.deepEqual(unused, []);
});
