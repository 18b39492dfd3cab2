/** A script for Node that computes what the page shows. */
import type { CatalogEntry } from 'fovea/catalog';
import { shortestFloat32 } from '../figures/format.ts';

type Values = Readonly<Record<string, unknown>>;

/** Where the package has what code of the catalog calls; functions of systems are in fovea/mechanisms. */
const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  'fovea/ops': ['add', 'matmul', 'gru', 'lstm', 'rnn'],
  'fovea/score': ['score', 'bias', 'normalizer'],
  'fovea/pattern': ['pattern'],
  'fovea/position': ['learnedPositions', 'recurrentPositions', 'rotaryEmbedding', 'sinusoidalPositions'],
  'fovea/linear-attention': ['linearAttention', 'linformer'],
};

/** The text of a module that prints the results of an entry's code for these arguments; `written` stands in place of its own, as code. */
export function scriptOf(
  entry: CatalogEntry,
  inputs: Values,
  params: Values,
  options: Values,
  written: Readonly<Record<string, string>> = {},
): string {
  const code = Object.keys(written).reduce(namingArgument, entry.code);
  const words = new Set(code.match(/(?<![.\w])[A-Za-z_]\w*(?!\w*\s*:)/g));
  for (const text of Object.values(written)) words.add(text.split('.')[0]!);
  const groups = Object.entries({ inputs, params, options });
  const given = new Set(groups.flatMap(([, values]) => Object.keys(values)));
  const imports = Object.entries(ENTRIES).flatMap(([entry, names]) => {
    const used = names.filter((name) => words.has(name) && !given.has(name));
    return used.length > 0 ? [`import { ${used.join(', ')} } from '${entry}';`] : [];
  });
  const [called = ''] = code.split('(');
  if (entry.kind === 'system') imports.push(`import { ${called} } from 'fovea/mechanisms';`);
  const variables = groups.flatMap(([group, values]) => {
    const names = Object.keys(values).filter((name) => words.has(name));
    const whole = words.has(group);
    if (whole) return [`const ${group} = ${literal(values, '')};`];
    return names.map((name) => `const ${name} = ${literal(values[name], '')};`);
  });
  variables.push(...Object.entries(written).map(([name, text]) => `const ${ownName(name)} = ${text};`));
  return `import { load, toNested } from 'fovea';
${imports.map((line) => `${line}\n`).join('')}
const fovea = await load({ deterministic: true });
${variables.map((line) => `${line}\n`).join('')}
const results = ${code};
for (const [name, value] of Object.entries(results)) {
  console.log(name, value?.data && value.shape ? toNested(value) : value);
}
`;
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
function literal(value: unknown, indent: string): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
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
