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

/** Files and folders of code that have Chinese of their own, and why: it is data, and no text of the page. */
const CHINESE_IN_CODE: Readonly<Record<string, string>> = {
  'web/course/learn/sentences.ts': 'sentences that are computed with',
  'web/course/words/glossary.ts': 'names by which textbooks call a term',
  'web/families/alignment/reading.ts': 'words that a decoder writes in Japanese',
  'web/families/basics/names.ts': 'an expression that finds labels of the catalog',
  'web/families/pooling/document.ts': 'words by the axes of their vectors',
  'web/families/self_attention/example.ts': 'sentences that are computed with',
  'web/families/self_attention/long_text/rhyme.ts': 'a text that is computed with',
  'web/families/self_attention/sentences.ts': 'a sentence that is computed with',
  'web/families/self_attention/shown_words.svelte.ts': 'the words of a vocabulary',
  'web/figures/format.ts': 'units of numbers',
  'web/shell/TopBar.svelte': 'a language is called by its own name',
  'web/text/words.ts': 'the list of words that have features',
};

/** The Chinese words and commas in a file of code: its comments may have some. */
function chineseIn({ path, text }: { readonly path: string; readonly text: string }): string[] {
  const found: string[] = [];
  const take = (part: string): void => {
    if (/[\p{Script=Han}、。]/u.test(part)) found.push(part);
  };
  const inScript = (node: ts.Node): void => {
    if (node.getChildCount() === 0) take(node.getText());
    else for (const child of node.getChildren()) if (!ts.isJSDoc(child)) inScript(child);
  };
  const inComponent = (node: unknown): void => {
    if (typeof node === 'string') take(node);
    if (typeof node !== 'object' || node === null) return;
    if ('type' in node && ['Comment', 'Block', 'Line'].includes(String(node.type))) return;
    for (const [key, value] of Object.entries(node)) if (!/comments$/i.test(key) && key !== 'raw') inComponent(value);
  };
  if (path.endsWith('.svelte')) inComponent(parse(text, { modern: true }));
  else inScript(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}

test('no code has a Chinese text of its own', () => {
  const places = Object.keys(CHINESE_IN_CODE);
  const found = sourceFiles('web', '.ts', '.svelte').filter((file) => chineseIn(file).length > 0);
  const placeOf = (path: string): string => places.find((place) => path.startsWith(place)) ?? path;
  assert.deepEqual([...new Set(found.map(({ path }) => placeOf(path)))].sort(), [...places].sort());
  const script = "/** 查询 */\nconst a = `${x}个`; // 键\nconst 值 = /权重/, b = { c: '、' };";
  assert.deepEqual(chineseIn({ path: 'x.ts', text: script }), ['}个`', '值', '/权重/', "'、'"]);
  const component = `<!-- 查询 -->\n<script>\n  // 键\n  const a = '值';\n</script>\n<p title="权重">{a}分数{a ? '、' : ''}</p>`;
  assert.deepEqual(chineseIn({ path: 'x.svelte', text: component }).sort(), ['、', '值', '分数', '权重'].sort());
});

/** Every pair { en, zh } of the modules, with where it stands. */
function pairs(value: unknown, path: string): [path: string, en: unknown, zh: unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  if ('en' in value && 'zh' in value) return [[path, value.en, value.zh]];
  return Object.entries(value).flatMap(([key, part]) => pairs(part, `${path}.${key}`));
}

/** Lessons have their own test: their samples are words of a language. */
const lessons = new Set(list().map(({ id }) => id));

/** All pairs { en, zh } of the text files, with where they stand. */
const allPairs = async (): Promise<[path: string, en: unknown, zh: unknown][]> =>
  [...(await textModules())]
    .filter(([name]) => !lessons.has(name))
    .flatMap(([name, exported]) => pairs(exported, `${name}.ftl`));

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
      !/[,;!?](\s|$)|\w\. /.test(zh.replace(/[A-Za-z0-9 ,.'’“”-]{12,}/g, '').replace(/\([a-z], [a-z]\)/g, '')),
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
  // Rows and columns are named the other way round in Taiwan: both words stand always. local-m and local-p are names.
  assert.deepEqual(
    chinese.filter(([, text]) => /\p{Script=Han}（(?!row|column|local-)[a-z][a-z -]*）/u.test(text)),
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
        const said: unknown = (en as (slots: object) => unknown)(new Proxy({}, { get: () => one }));
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

interface Term {
  readonly name: { readonly en: string; readonly zh: string };
  readonly meaning: { readonly en: string; readonly zh: string };
}

async function glossary(): Promise<readonly Term[]> {
  const { outputFiles } = await build({
    entryPoints: [`${root}/web/course/words/glossary.ts`],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  const { GLOSSARY } = (await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`)) as {
    GLOSSARY: readonly Term[];
  };
  return GLOSSARY;
}

test('each term of the glossary has a sentence that says what it means, in both languages', async () => {
  const terms = await glossary();
  assert.ok(terms.length > 100);
  assert.equal(new Set(terms.map(({ name }) => name.en)).size, terms.length);
  for (const { name, meaning } of terms) {
    assert.match(meaning.en, /^\S.{10,170}\.$/, name.en);
    assert.match(meaning.zh, /^\S.{4,80}。$/, name.en);
  }
});

/** Sentences with a word in quotation marks, or told as what a textbook writes, may have it. */
const TOLD = /[“「]|教材|writes|点击注意力[,，、]/;

/** Words that the page does not use, with what it says in their place. A quoted word is one that a textbook writes. */
const AVOIDED: Readonly<Record<string, string>> = {
  特征图: '特征映射',
  点击: '点积',
  遮罩: '掩码',
  评分函数: '打分函数',
  词向量: '词嵌入',
  语境向量: '上下文向量',
  层规范化: '层归一化',
  复制机制: '拷贝机制',
  覆盖率: '覆盖',
  集束搜索: '束搜索',
  池化: '汇聚',
  语谱图: '声谱图',
};

test('the texts use the glossary’s Chinese words', async () => {
  const taught = (await glossary()).map(({ name }) => name.zh).join(' ');
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
  const texts = sourceFiles('web', '.ts', '.ftl').filter(({ path }) => !/words\/glossary\.ts$|search_names\.ftl$/.test(path));
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
