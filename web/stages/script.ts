/** A script for Node that computes what the page shows. */
import type { CatalogEntry } from 'fovea/catalog';
import { fileName } from '../figures/export.ts';
import { shortestFloat32 } from '../figures/format.ts';
import { nameOfScore } from './scores.ts';

type Values = Readonly<Record<string, unknown>>;

/** Where the package has what code of the catalog calls; functions of systems are in fovea/mechanisms. */
const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  'fovea/ops': ['add', 'matmul', 'gru', 'lstm', 'rnn'],
  'fovea/score': ['score', 'bias', 'normalizer'],
  'fovea/pattern': ['pattern'],
  'fovea/position': ['learnedPositions', 'recurrentPositions', 'rotaryEmbedding', 'sinusoidalPositions'],
  'fovea/linear-attention': ['linearAttention', 'linformer'],
};

/** A script, and the file with its larger matrices that lies beside it, if there are any. */
export interface Script {
  readonly text: string;
  readonly file: { readonly name: string; readonly text: string } | null;
}

/** Matrices of more numbers than this are not written into the script. */
export const MOST_NUMBERS = 2000;

/** A call of the catalog with its arguments. */
export interface Call {
  readonly entry: CatalogEntry;
  readonly inputs: Values;
  readonly params: Values;
  readonly options: Values;
  /** Arguments that stand in place of the entry's own, as code. */
  readonly written?: Readonly<Record<string, string>>;
}

/** A module that prints the results of an entry's code for these arguments. */
export function scriptOf(call: Call): Script {
  const large: Record<string, unknown> = {};
  const { imports, variables, code } = piecesOf(call, 'matrices', large);
  const prints = `const results = ${code};
for (const [name, value] of Object.entries(results)) {
  console.log(name, ${PRINTED});
}`;
  return module(idOf(call), imports, [...variables, prints], large);
}

/** A module that does so for several, each in a block, with the entry's name before that of each result. */
export function scriptOfSeveral(name: string, calls: readonly Call[]): Script {
  const large: Record<string, Record<string, unknown>> = {};
  const imports = new Map<string, Set<string>>();
  const blocks = calls.map((call) => {
    const own: Record<string, unknown> = {};
    const pieces = piecesOf(call, `matrices['${idOf(call)}']`, own);
    if (Object.keys(own).length > 0) large[idOf(call)] = own;
    for (const [from, names] of pieces.imports) imports.set(from, new Set([...(imports.get(from) ?? []), ...names]));
    const lines = [...pieces.variables, `print('${idOf(call)}', ${pieces.code});`];
    return `{\n${lines.join('\n').replace(/^(?=.)/gm, '  ')}\n}`;
  });
  const print = `function print(mechanism, results) {
  for (const [name, value] of Object.entries(results)) {
    console.log(mechanism, name, ${PRINTED});
  }
}`;
  return module(name, imports, [print, ...blocks], large);
}

const PRINTED = 'value?.data && value.shape ? toNested(value) : value';
const idOf = ({ entry }: Call): string => entry.id.replaceAll('_', '-');

type Imports = ReadonlyMap<string, ReadonlySet<string>>;

function module(id: string, imports: Imports, lines: readonly string[], large: Values): Script {
  const file = Object.keys(large).length > 0 ? { name: `${id}.json`, text: JSON.stringify(large) } : null;
  const imported = Array.from(imports, ([from, names]) => importOf(from, [...names]));
  return scriptWith(file, imported, [...(file ? [readingOf('matrices', file.name)] : []), ...lines]);
}

export const importOf = (from: string, names: readonly string[]): string => `import { ${names.join(', ')} } from '${from}';`;

/** The line that reads the file beside the script. */
export const readingOf = (variable: string, name: string): string =>
  `const ${variable} = JSON.parse(await readFile(new URL('./${fileName(name)}', import.meta.url), 'utf8'));`;

/** A module of these lines, which have `fovea`, and of the file beside it, if it has one. */
export function scriptWith(file: Script['file'], imports: readonly string[], lines: readonly string[]): Script {
  const text = [
    importOf('fovea', ['load', 'toNested']),
    ...(file ? [importOf('node:fs/promises', ['readFile'])] : []),
    ...imports,
    '',
    'const fovea = await load({ deterministic: true });',
    ...lines,
    '',
  ].join('\n');
  return { text, file };
}

/** The imports, variables and code of a call. Its large matrices are put into `large`, where the code has them under the name `file`. */
function piecesOf(
  { entry, inputs, params, options, written = {} }: Call,
  file: string,
  large: Record<string, unknown>,
): { readonly imports: Imports; readonly variables: readonly string[]; readonly code: string } {
  const added = addedOptions(entry, options);
  const code = Object.keys(written).reduce(namingArgument, withOptions(entry.code, added));
  const words = new Set(code.match(/(?<![.\w])[A-Za-z_]\w*(?!\w*\s*:)/g));
  for (const text of Object.values(written)) words.add(text.split('.')[0]!);
  if (added.some(([, value]) => nameOfScore(value))) words.add('score');
  /** An argument as code; a large matrix is read from the file. */
  const valueOf = (name: string, value: unknown): string => {
    if (!isMatrix(value) || value.flat().length <= MOST_NUMBERS || !value.flat().every(isJson)) return literal(value, '');
    large[name] = value;
    return `${file}.${name}`;
  };
  const groups = Object.entries({ inputs, params, options });
  const isAdded = (name: string): boolean => added.some(([other]) => other === name);
  const given = new Set(groups.flatMap(([, values]) => Object.keys(values)).filter((name) => !isAdded(name)));
  const imports = new Map(
    Object.entries(ENTRIES).flatMap(([from, names]) => {
      const used = names.filter((name) => words.has(name) && !given.has(name));
      return used.length > 0 ? [[from, new Set(used)] as const] : [];
    }),
  );
  const [called = ''] = code.split('(');
  if (entry.kind === 'system') imports.set('fovea/mechanisms', new Set([called]));
  const variables = groups.flatMap(([group, values]) => {
    const names = Object.keys(values).filter((name) => words.has(name));
    const whole = words.has(group);
    if (whole) {
      const fields = Object.entries(values).map(([name, value]) => `  ${name}: ${valueOf(name, value)},\n`);
      return [`const ${group} = {\n${fields.join('')}};`];
    }
    return names
      .filter((name) => group !== 'options' || !isAdded(name))
      .map((name) => `const ${name} = ${valueOf(name, values[name])};`);
  });
  variables.push(...Object.entries(written).map(([name, text]) => `const ${ownName(name)} = ${text};`));
  variables.push(...added.map(([name, value]) => `const ${ownName(name)} = ${literal(value, '')};`));
  return { imports, variables, code };
}

/** JSON has no NaN, infinities and −0. */
const isJson = (x: number): boolean => Number.isFinite(x) && !Object.is(x, -0);

const isMatrix = (value: unknown): value is readonly (readonly number[])[] =>
  Array.isArray(value) && Array.isArray(value[0]) && typeof value[0][0] === 'number';

/** Options that the page has put beside those that the entry's code names. */
function addedOptions({ code, defaults }: CatalogEntry, options: Values): [string, unknown][] {
  if (/(?<![.\w])options(?!\w*\s*:)/.test(code)) return [];
  return Object.entries(options).filter(([name, value]) => value !== undefined && !Object.hasOwn(defaults.options, name));
}

/** A call's code with further options: in place of those of their names, else at the end of its options. */
function withOptions(code: string, added: readonly [string, unknown][]): string {
  return added.reduce((text, [name]) => {
    if (text.includes(`${name}: `)) return namingArgument(text, name);
    const end = text.lastIndexOf('}');
    return `${text.slice(0, end).trimEnd()}, ${name}: ${ownName(name)} ${text.slice(end)}`;
  }, code);
}

const ownName = (argument: string): string => `own${argument[0]!.toUpperCase()}${argument.slice(1)}`;

/** A call's code with a variable in place of what it gives for an option: `{ pattern: pattern.local(2), … }` → `{ pattern: ownPattern, … }`. */
function namingArgument(code: string, name: string): string {
  const start = code.indexOf(`${name}: `) + name.length + 2;
  let [end, depth] = [start, 0];
  for (; depth > 0 || !',}'.includes(code[end]!); end++)
    depth += Number('({['.includes(code[end]!)) - Number(')}]'.includes(code[end]!));
  return code.slice(0, start) + ownName(name) + code.slice(end);
}

/** JavaScript for a value of the catalog. */
export function literal(value: unknown, indent: string): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const score = nameOfScore(value);
  if (score) return `score.${score}()`;
  if (ArrayBuffer.isView(value)) {
    const numbers = Array.from(value as unknown as ArrayLike<number>);
    const text = value instanceof Float32Array ? numbers.map(shortestFloat32) : numbers.map(String);
    return `new ${value.constructor.name}([${text.join(', ')}])`;
  }
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => literal(item, deeper));
    return value.some((item) => typeof item === 'object')
      ? `[\n${deeper}${items.join(`,\n${deeper}`)},\n${indent}]`
      : `[${items.join(', ')}]`;
  }
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${literal(field, deeper)}`);
  return fields.length === 0 ? '{}' : `{\n${deeper}${fields.join(`,\n${deeper}`)},\n${indent}}`;
}
