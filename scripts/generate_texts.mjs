/**
 * Makes build/generated/texts/NAME.ts of web/texts/en/NAME.ftl and web/texts/zh/NAME.ftl: the texts of the page, which people edit (see
 * docs/texts.md). A text is { en, zh }; one with slots is { en, zh } of functions that take an object with a value for each slot. The builds,
 * `npm run check` and the tests call it first; a file that stays as it is keeps its time, so that nothing is built again for it.
 */
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from '@fluent/syntax';
import { writeIfChanged } from './generate_abi.mjs';

export const languages = ['en', 'zh'];

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'web/texts');
const target = join(root, 'build/generated/texts');
const ending = '.ftl';

/** The plural categories that a language has, as in the Unicode CLDR. */
const pluralsOf = { en: ['one', 'other'], zh: ['other'] };
/** The text that joins two lines of one sentence. */
const lineJoint = { en: ' ', zh: '' };

/** The functions of texts, and those of web/figures/format.ts that write their numbers. */
const formats = { ORDINAL: 'ordinal' };

/** Names that a module cannot declare. */
const reserved = new Set(
  `await break case catch class const continue debugger default delete do else enum export extends false finally for function if import
   in instanceof let new null return static super switch this throw true try typeof var void while with yield`.split(/\s+/),
);

/** A file of texts as messages name it. */
const pathOf = (language, name) => `web/texts/${language}/${name}${ending}`;

class Fault extends Error {}

/** The text as the page has it: its lines joined, and a [[gloss]] between the marks of web/shell/gloss.ts. */
function written(text, language) {
  return text.replace(/\s*\n\s*/g, lineJoint[language]).replace(/\[\[([^[\]]+)\]\]/g, '\ufffa$1\ufffb');
}

/** The parts of a text: strings, { slot, format? } and { slot, variants: [{ key, isDefault, parts }] }. */
function partsOf(pattern, language) {
  return pattern.elements.flatMap((element) => {
    if (element.type === 'TextElement') return [written(element.value, language)];
    return partsOfPlaceable(element.expression, language);
  });
}

function partsOfPlaceable(expression, language) {
  switch (expression.type) {
    case 'StringLiteral':
      return [expression.parse().value];
    case 'VariableReference':
      return [{ slot: expression.id.name }];
    case 'Placeable':
      return partsOfPlaceable(expression.expression, language);
    case 'FunctionReference': {
      const [argument, ...more] = expression.arguments.positional;
      const format = formats[expression.id.name];
      if (format === undefined || argument?.type !== 'VariableReference' || more.length > 0)
        throw new Fault(`the only function is ORDINAL($slot), not ${expression.id.name}`);
      return [{ slot: argument.id.name, format }];
    }
    case 'SelectExpression':
      return [choiceOf(expression, language)];
    default:
      throw new Fault('braces hold a $slot, a "text", ORDINAL($slot) or a choice between variants');
  }
}

function choiceOf({ selector, variants }, language) {
  if (selector.type !== 'VariableReference') throw new Fault('a choice is made by a $slot');
  const keyOf = ({ key }) => (key.type === 'NumberLiteral' ? key.value : key.name);
  const plurals = variants.map(keyOf).filter((key) => ['zero', 'one', 'two', 'few', 'many'].includes(key));
  for (const key of plurals)
    if (!pluralsOf[language].includes(key)) throw new Fault(`there is no plural form [${key}] in this language`);
  return {
    slot: selector.id.name,
    variants: variants.map((variant) => ({
      // "one" is the number 1, alone in English.
      key: keyOf(variant) === 'one' ? '1' : keyOf(variant),
      isDefault: variant.default,
      parts: partsOf(variant.value, language),
    })),
  };
}

/** The slots that a text has, in the order of their names. */
export function slotsOf(parts) {
  const found = parts.flatMap((part) => {
    if (typeof part === 'string') return [];
    return [part.slot, ...(part.variants ?? []).flatMap((variant) => slotsOf(variant.parts))];
  });
  return [...new Set(found)].sort();
}

/**
 * The texts of a file by their names, those of attributes as 'message.attribute', and what is wrong with it.
 *
 * @param {string} text of a .ftl file
 * @param {'en' | 'zh'} language
 */
export function readTexts(text, language) {
  const texts = new Map();
  const faults = [];
  const lineOf = ({ span }) => text.slice(0, span.start).split('\n').length;
  const add = (name, pattern, comment) => {
    if (texts.has(name)) faults.push(`line ${lineOf(pattern)}: "${name}" is there twice`);
    try {
      texts.set(name, { parts: partsOf(pattern, language), comment });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      texts.set(name, { parts: [] });
      faults.push(`line ${lineOf(pattern)}: "${name}": ${error.message}`);
    }
  };
  for (const entry of parse(text, { withSpans: true }).body) {
    if (entry.type === 'Junk')
      faults.push(`line ${lineOf(entry)}: ${entry.annotations.map(({ message }) => message).join(' ')}`);
    if (entry.type === 'Term') faults.push(`line ${lineOf(entry)}: a name does not begin with "-"`);
    if (entry.type !== 'Message') continue;
    const { id, value, attributes, comment } = entry;
    if (value && attributes.length > 0)
      faults.push(`line ${lineOf(entry)}: "${id.name}" has a text and attributes: give the text an attribute of its own`);
    else if (value) add(id.name, value, comment?.content);
    else for (const attribute of attributes) add(`${id.name}.${attribute.id.name}`, attribute.value, comment?.content);
  }
  return { texts, faults };
}

/** The faults between the languages: a name or a slot that one of them lacks. */
function differences(name, files) {
  const faults = [];
  for (const [at, language] of languages.entries()) {
    const [own, other] = [files[at].texts, files[1 - at].texts];
    const file = pathOf(language, name);
    for (const [key, { parts }] of other) {
      const found = own.get(key);
      const lacking = found ? slotsOf(parts).filter((slot) => !slotsOf(found.parts).includes(slot)) : [];
      if (!found) faults.push(`${file}: "${key}" is missing`);
      for (const slot of lacking) faults.push(`${file}: "${key}" lacks the slot { $${slot} }`);
    }
  }
  return faults;
}

const quoted = (text) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
const inTemplate = (text) =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replace(/`|\$\{/g, '\\$&');

/** An expression that is the text; its slots are variables. */
function expressionOf(parts) {
  if (parts.every((part) => typeof part === 'string')) return quoted(parts.join(''));
  if (parts.length === 1 && parts[0].variants) return conditional(parts[0]);
  const inside = parts.map((part) => {
    if (typeof part === 'string') return inTemplate(part);
    if (part.variants) return `\${${conditional(part)}}`;
    return `\${${part.format ? `${part.format}(Number(${part.slot}))` : part.slot}}`;
  });
  return `\`${inside.join('')}\``;
}

function conditional({ slot, variants }) {
  const last = expressionOf(variants.find(({ isDefault }) => isDefault).parts);
  const others = variants.filter(({ isDefault }) => !isDefault);
  return others.reduceRight((rest, { key, parts }) => `\`\${${slot}}\` === '${key}' ? ${expressionOf(parts)} : ${rest}`, last);
}

/** The slots that the code of a text reads. */
function slotsRead(parts) {
  return slotsOf(parts.map((part) => (part.variants?.length === 1 ? { slot: '', variants: part.variants } : part))).filter(
    Boolean,
  );
}

/**
 * The TypeScript module of two files, and what is wrong with them.
 *
 * @param {string} name of the files
 * @param {Readonly<Record<'en' | 'zh', string>>} sources their texts
 */
export function compileTexts(name, sources) {
  const files = languages.map((language) => readTexts(sources[language], language));
  const faults = [
    ...files.flatMap(({ faults }, at) => faults.map((fault) => `${pathOf(languages[at], name)}, ${fault}`)),
    ...differences(name, files),
  ];
  if (faults.length > 0) return { code: '', faults };
  const pairOf = (key) => {
    const pair = languages.map((language, at) => {
      const { parts } = files[at].texts.get(key);
      const slots = slotsOf(parts);
      if (slots.length === 0) return `${language}: ${expressionOf(parts)}`;
      const type = `Slots<${slots.map((slot) => `'${slot}'`).join(' | ')}>`;
      const read = slotsRead(parts);
      return `${language}: (${read.length > 0 ? `{ ${read.join(', ')} }` : '_'}: ${type}) => ${expressionOf(parts)}`;
    });
    return `{ ${pair.join(', ')} }`;
  };
  const tree = new Map();
  const comments = new Map();
  for (const [key, { comment }] of files[0].texts) {
    const path = key.split(/[-.]/);
    let node = tree;
    for (const segment of path.slice(0, -1)) {
      if (!node.has(segment)) node.set(segment, new Map());
      node = node.get(segment);
      if (!(node instanceof Map)) break;
    }
    if (!(node instanceof Map) || node.has(path.at(-1))) faults.push(`web/texts/en/${name}${ending}: "${key}" is there twice`);
    else node.set(path.at(-1), pairOf(key));
    if (comment && !comments.has(path[0])) comments.set(path[0], comment);
  }
  const valueOf = (node, indent) => {
    if (!(node instanceof Map)) return node;
    const entries = [...node].map(([key, value]) => `${indent}  '${key}': ${valueOf(value, `${indent}  `)},\n`);
    return `{\n${entries.join('')}${indent}}`;
  };
  const lines = [...tree].flatMap(([message, node]) => {
    const value = valueOf(node, '');
    const comment = comments.get(message);
    const declared = reserved.has(message)
      ? `const ${message}_ = ${value};\nexport { ${message}_ as ${message} };`
      : `export const ${message} = ${value};`;
    return [...(comment ? [`/** ${comment.replaceAll('\n', ' ')} */`] : []), declared];
  });
  const body = lines.join('\n');
  const imports = [
    body.includes(': Slots<') ? "import type { Slots } from '../../../web/shell/localized.ts';" : '',
    ...Object.values(formats).map((format) =>
      body.includes(`${format}(Number(`) ? `import { ${format} } from '../../../web/figures/format.ts';` : '',
    ),
  ].filter(Boolean);
  const origin = `// Made by scripts/generate_texts.mjs of ${languages.map((language) => pathOf(language, name)).join(' and ')}.`;
  return { code: `${[origin, ...imports, body].join('\n')}\n`, faults };
}

/** The names of the files that one of the languages has. */
export function textNames() {
  const all = languages.flatMap((language) => readdirSync(join(source, language)));
  return [...new Set(all.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length)))].sort();
}

const sourceOf = (language, name) => {
  try {
    return readFileSync(join(source, language, name + ending), 'utf8');
  } catch {
    return '';
  }
};

/** Makes all modules, or throws what is wrong with the texts. */
export function generateTexts() {
  const names = textNames();
  const compiled = names.map((name) => [
    name,
    compileTexts(name, Object.fromEntries(languages.map((language) => [language, sourceOf(language, name)]))),
  ]);
  const faults = compiled.flatMap(([, { faults }]) => faults);
  if (faults.length > 0) throw new Error(`The texts of the page have faults (docs/texts.md):\n${faults.join('\n')}`);
  for (const [name, { code }] of compiled) writeIfChanged(`texts/${name}.ts`, code);
  const stale = readdirSync(target).filter((file) => file.endsWith('.ts') && !names.includes(file.slice(0, -3)));
  for (const file of stale) rmSync(join(target, file));
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) generateTexts();
