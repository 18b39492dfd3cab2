/** All texts of the page are in its text files, in both languages: no component has a text of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { build } from 'esbuild';
import { parse } from 'svelte/compiler';
import { list } from 'fovea/catalog';
import ts from 'typescript';
import { plain } from '../../web/shell/gloss.ts';
import { root, sourceFiles } from './support/repository.ts';
import { readTexts, textFiles, textModules, writtenIn } from './support/texts.ts';

/** Names and mathematics, the same in every language. */
const UNTRANSLATED = new Set(['fovea', 'out']);
const SPOKEN = new Set([
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'title',
  'placeholder',
  'alt',
  'label',
]);

/** The words that a component shows or speaks without a message: texts between its tags, and attributes that are read out. */
function ownTexts(source: string): string[] {
  const found: string[] = [];
  const look = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(look);
    if (typeof node !== 'object' || node === null) return;
    const { type, name, data } = node as { type?: string; name?: string; data?: string };
    if (type === 'StyleDirective' || type === 'ClassDirective') return;
    if (type === 'Attribute' && !SPOKEN.has(name ?? '')) return;
    if (type === 'Text') found.push(...(data ?? '').split(/\s+/).filter((word) => /\p{L}{2}|\p{Script=Han}/u.test(word)));
    for (const [key, value] of Object.entries(node)) if (key !== 'metadata') look(value);
  };
  look(parse(source, { modern: true }).fragment);
  return found.filter((word) => !UNTRANSLATED.has(word));
}

test('no component has a visible or spoken text of its own', () => {
  const components = sourceFiles('web', '.svelte');
  assert.ok(components.length > 20);
  const found = components.flatMap(({ path, text }) => ownTexts(text).map((word) => `${path}: ${word}`));
  assert.deepEqual(found, []);
  assert.deepEqual(ownTexts('<p>{t.title} Hello</p>'), ['Hello']);
  assert.deepEqual(ownTexts('<p>权重 {x}</p>'), ['权重']);
  assert.deepEqual(ownTexts('<button aria-label="close"></button>'), ['close']);
  assert.deepEqual(ownTexts('<button class="close">{t.close} × 3</button>'), []);
});

/** Every pair { en, zh } of the modules, with where it stands. */
function pairs(value: unknown, path: string): [path: string, en: unknown, zh: unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  if ('en' in value && 'zh' in value) return [[path, value.en, value.zh]];
  return Object.entries(value).flatMap(([key, part]) => pairs(part, `${path}.${key}`));
}

/** Lessons have their own test: their samples are words of a language. */
const lessons = new Set(list().map(({ id }) => id));

/** All pairs { en, zh } of the text files and the message files, with where they stand. */
async function allPairs(): Promise<[path: string, en: unknown, zh: unknown][]> {
  const files = sourceFiles('web', '/messages.ts', '/families.ts')
    .map(({ path }) => path)
    .filter((path) => !path.includes('/telling/')); // written as two whole files of one type
  assert.ok(files.length > 0);
  const contents = files.map((path, i) => `export * as file${i} from './${path}';`).join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
    external: ['*.svelte'],
    logLevel: 'error',
  });
  const modules = (await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`)) as Record<string, unknown>;
  const texts = [...(await textModules())].filter(([name]) => !lessons.has(name));
  return [
    ...texts.flatMap(([name, exported]) => pairs(exported, `${name}.ftl`)),
    ...Object.entries(modules).flatMap(([name, exported]) => pairs(exported, files[Number(name.slice(4))]!)),
  ];
}

test('every text is there in English and in Chinese, and each is in its language', async () => {
  const found = await allPairs();
  assert.ok(found.length > 1000, String(found.length));
  for (const [path, en, zh] of found) {
    assert.equal(typeof en, typeof zh, path);
    if (typeof en === 'function' && typeof zh === 'function') assert.equal(en.length, zh.length, path);
    // Names of functions, as tanh, are the same in both.
    if (typeof en !== 'string' || typeof zh !== 'string' || en === zh) continue;
    // Text without letters between words is of no language.
    if (!/\p{L}/u.test(en + zh)) continue;
    assert.ok(/\p{Script=Latin}/u.test(en), `${path}: "${en}" is not English`);
    assert.ok(/\p{Script=Han}/u.test(zh), `${path}: "${zh}" is not Chinese`);
    assert.ok(
      !/[,;!?](\s|$)|\w\. /.test(zh.replace(/[A-Za-z0-9 ,.'’“”-]{12,}/g, '')),
      `${path}: "${zh}" has half-width punctuation`,
    );
  }
});

/** Texts of one language, and where each stands: the text files, what is told under `en` and `zh`, and the message files of one language. */
function spokenTexts(language: 'en' | 'zh'): [place: string, text: string][] {
  const found: [string, string][] = [];
  for (const { name, path, text } of textFiles(language))
    if (!lessons.has(name))
      for (const [key, { parts }] of readTexts(text, language).texts)
        found.push([`${path}: ${key}`, plain(writtenIn(parts).join(' '))]);
  for (const { path, text } of sourceFiles('web', '.ts').filter((file) => !file.path.startsWith('web/lessons/'))) {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const take = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && node.expression.getText() === 'gloss') return;
      if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
        found.push([`${path}:${file.getLineAndCharacterOfPosition(node.pos).line + 1}`, node.text]);
      ts.forEachChild(node, take);
    };
    const look = (node: ts.Node): void => {
      if (ts.isPropertyAssignment(node) && node.name.getText() === language) take(node.initializer);
      else ts.forEachChild(node, look);
    };
    if (new RegExp(`[/_]${language}\\.ts$`).test(path)) take(file);
    else look(file);
  }
  return found;
}

test('a word in the other language is a gloss, which a visitor switches on', () => {
  const [english, chinese] = [spokenTexts('en'), spokenTexts('zh')];
  assert.ok(english.length > 500 && chinese.length > 500);
  assert.deepEqual(
    english.filter(([, text]) => /\p{Script=Han}/u.test(text)),
    [],
  );
  // Rows and columns are named the other way round in Taiwan: both words stand always.
  assert.deepEqual(
    chinese.filter(([, text]) => /\p{Script=Han}（(?!row|column)[a-z][a-z -]*）/u.test(text)),
    [],
  );
});

/** Verbs that follow a number or a name, and units: "patch 1 gives", "1 ms", "1 times as many". */
const NO_PLURALS =
  /^(is|has|was|gives|gets|takes|reads|looks|keeps|stops|needs|agrees|counts|brings|rotates|generates|points|reaches|ms|s|times|this|as)$/;

test('one of a thing is not told in the plural', async () => {
  const wrong: string[] = [];
  let called = 0;
  const plurals = (said: string): string[] =>
    [...said.matchAll(/(?<![\d.,/×−-] ?)\b1 ([a-z]+s)\b/g)]
      .map(([, word = '']) => word)
      .filter((word) => !NO_PLURALS.test(word));
  for (const [path, en] of await allPairs()) {
    if (typeof en !== 'function') continue;
    for (const one of [1, '1'])
      try {
        const slots = path.includes('.ftl')
          ? [new Proxy({}, { get: () => one })]
          : Array.from({ length: en.length }, () => one);
        const said: unknown = (en as (...slots: unknown[]) => unknown)(...slots);
        called++;
        wrong.push(...plurals(String(said)).map((word) => `${path}: 1 ${word} in "${String(said)}"`));
      } catch {
        // It takes neither numbers nor texts.
      }
  }
  assert.ok(called > 300, String(called));
  assert.deepEqual([...new Set(wrong)], []);
  assert.deepEqual(plurals('1 layers, each 1 ms, 21 words'), ['layers']);
});

test('each term of the glossary has a sentence that says what it means, in both languages', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: "export * from './web/shell/glossary.ts'; export * from './web/course/words/definitions.ts';",
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  const { GLOSSARY, DEFINITIONS } = (await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`)) as {
    GLOSSARY: readonly { en: string }[];
    DEFINITIONS: Readonly<Record<string, { en: string; zh: string }>>;
  };
  assert.deepEqual(Object.keys(DEFINITIONS).sort(), GLOSSARY.map(({ en }) => en).sort());
  for (const [name, { en, zh }] of Object.entries(DEFINITIONS)) {
    assert.match(en, /^\S.{10,170}\.$/, name);
    assert.match(zh, /^\S.{4,80}。$/, name);
  }
});

/** Sentences with a word in quotation marks, or told as what a textbook writes, may have it. */
const TOLD = /[“「]|教材|writes|点击注意力[,，、]/;

test('the texts use the glossary’s Chinese words', async () => {
  const { outputFiles } = await build({
    stdin: { contents: "export * from './web/shell/glossary.ts';", resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  const { GLOSSARY, AVOIDED } = (await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`)) as {
    GLOSSARY: readonly { en: string; zh: string }[];
    AVOIDED: Readonly<Record<string, string>>;
  };
  assert.equal(new Set(GLOSSARY.map(({ en }) => en)).size, GLOSSARY.length);
  const taught = GLOSSARY.map(({ zh }) => zh).join(' ');
  for (const [word, instead] of Object.entries(AVOIDED)) {
    assert.ok(taught.includes(instead), instead);
    assert.ok(!taught.includes(word), word);
  }
  const complaints = (text: string, path: string): string[] =>
    text.split('\n').flatMap((line, i) =>
      Object.keys(AVOIDED)
        .filter((word) => line.includes(word) && !TOLD.test(line))
        .map((word) => `${path}:${i + 1}: ${word}, not ${AVOIDED[word]}`),
    );
  assert.deepEqual(complaints("zh: '特征图'", 'x'), ['x:1: 特征图, not 特征映射']);
  // The glossary and the search name what others write.
  const texts = sourceFiles('web', '.ts', '.ftl').filter(({ path }) => !/shell\/glossary\.ts$|searched_pages\.ts$/.test(path));
  assert.ok(texts.length > 50);
  assert.deepEqual(
    texts.flatMap(({ path, text }) => complaints(text, path)),
    [],
  );
});

/** Sentences that told what a test did, used words of our own, or came from no speaker of the language; and what stands for them now. */
const UNCLEAR: readonly [RegExp, instead: string][] = [
  [/It is another one|As you said|答案是另一个/, 'Not quite: …, Right: …, 不对，正确答案是……'],
  [/Computed just now|刚刚计算过/, '✓ checked with the numbers above'],
  [/Recomputed for every cell|逐一核对/, 'nothing: a reader takes the numbers to be right'],
  [/rows?\b.{0,12}, (\$\{\w+\}|\{ \$\w+ \}) in all|行之和，总量/, 'Each of the 4 heads adds one row.'],
  [/Changes in the one formula/, 'Differs from standard attention in: …'],
  [/Letters open their stage/, 'Click a letter to go to its step.'],
  [/No question at all|什么都不问/, 'Set the query to zero'],
  [/at place \d|counted from 0\)|第 \d 位的词/, 'the word itself'],
  [/('|= )no weights|没有参数('|$)/, 'no learned parameters'],
  [/nobody may be asked|没有可问的/, 'all zero here; many libraries give NaN'],
  [/备有一块行|，和就逐个|前者的 1/, 'W_o 中每个头对应几行; 这个累加和; 约为一半'],
];

test('no sentence says what a test did, or needs words of our own', () => {
  const complaints = (text: string, path: string): string[] =>
    text
      .split('\n')
      .flatMap((line, i) =>
        UNCLEAR.filter(([unclear]) => unclear.test(line.replace(/^\s*(\/\*\*|\*|\/\/|#).*/, ''))).map(
          ([, instead]) => `${path}:${i + 1}: ${line.trim()} (write: ${instead})`,
        ),
      );
  assert.equal(complaints("holds: { en: 'Computed just now: this holds.' }", 'x').length, 1);
  assert.equal(complaints('/** The token, at place 3 (counted from 0). */', 'x').length, 0);
  assert.equal(complaints('spoken = { $words } words in all\nrows = each row, { $all } in all', 'x').length, 1);
  const texts = sourceFiles('web', '.ts', '.ftl');
  assert.deepEqual(
    texts.flatMap(({ path, text }) => complaints(text, path)),
    [],
  );
});
