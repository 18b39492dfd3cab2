/** `fovea list`: the mechanisms, or what one of them takes. */
import { list as entries, type CatalogEntry } from 'fovea/catalog';
import { findEntry } from './arguments.ts';
import { isSet, readCommandLine, textOf } from './command_line.ts';
import { UsageError } from './failure.ts';
import { print, table } from './output.ts';
import { writeJson } from './text_formats.ts';

export const listUsage = `fovea list [MECHANISM] [--family NAME] [--kind option|system] [--language en|zh]

Without a name, all mechanisms of the catalog; with one, its inputs, params and options with the shapes of its example.`;

export function list(args: readonly string[]): void {
  const text = { type: 'string' } as const;
  const given = readCommandLine(args, { family: text, kind: text, language: text }, 1);
  if (isSet(given, 'help')) return print(listUsage);
  const [name] = given.words;
  const language = textOf(given, 'language') ?? 'en';
  if (language !== 'en' && language !== 'zh') throw new UsageError(`--language must be en or zh, got '${language}'`);
  const all = entries();
  if (name !== undefined) {
    const entry = describe(findEntry(all, name), language);
    return print(isSet(given, 'json') ? writeJson(entry, 2) : textFor(entry));
  }
  const chosen = all.filter(
    (entry) => fits(all, entry, 'family', textOf(given, 'family')) && fits(all, entry, 'kind', textOf(given, 'kind')),
  );
  if (isSet(given, 'json'))
    return print(
      writeJson(
        chosen.map(({ id, kind, family, title, year, paper }) => ({ id, kind, family, title, year, paper })),
        2,
      ),
    );
  print(table(chosen.map(({ id, family, year, title }) => [id, family, String(year), title[language]])));
}

function fits(all: readonly CatalogEntry[], entry: CatalogEntry, key: 'family' | 'kind', wanted: string | undefined): boolean {
  const known = [...new Set(all.map((one): string => one[key]))];
  if (wanted !== undefined && !known.includes(wanted))
    throw new UsageError(`--${key} must be one of ${known.join(', ')}, got '${wanted}'`);
  return wanted === undefined || entry[key] === wanted;
}

function describe({ id, kind, family, title, year, paper, defaults, code }: CatalogEntry, language: 'en' | 'zh') {
  return {
    id,
    kind,
    family,
    title: title[language],
    year,
    paper:
      paper === null
        ? null
        : `${paper.authors} ${paper.year}, ${paper.title}${paper.url === undefined ? '' : ` (${paper.url})`}`,
    inputs: shapesOf(defaults.inputs),
    params: shapesOf(defaults.params),
    options: Object.fromEntries(Object.entries(defaults.options)),
    code,
    claim: defaults.claim.text[language],
  };
}

/** The shapes of arrays by dotted names; numbers as they are. */
function shapesOf(values: object, prefix = ''): Record<string, unknown> {
  const found = Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    if (typeof value !== 'object' || value === null) return [[prefix + name, value]];
    if ('shape' in value) return [[prefix + name, [...(value.shape as number[])]]];
    if (Array.isArray(value) || ArrayBuffer.isView(value)) return [[prefix + name, nestedShape(value)]];
    return Object.entries(shapesOf(value, `${prefix}${name}.`));
  });
  return Object.fromEntries(found);
}

function nestedShape(value: unknown): number[] {
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) return [];
  const rows = value as ArrayLike<unknown>;
  return [rows.length, ...nestedShape(rows[0])];
}

function textFor(entry: ReturnType<typeof describe>): string {
  const named = (values: object) => Object.entries(values).map(([name, value]) => `  ${name} ${writeJson(value)}`);
  const part = (heading: string, values: object) => {
    const lines = named(values);
    return [`${heading}:${lines.length === 0 ? ' none' : ''}`, ...lines];
  };
  return [
    `${entry.id}: ${entry.title} (${entry.kind}, ${entry.family}, ${entry.year})`,
    ...(entry.paper === null ? [] : [entry.paper]),
    entry.claim,
    ...part('inputs, with the shapes of the example', entry.inputs),
    ...part('params', entry.params),
    ...part('options', entry.options),
    'in JavaScript:',
    ...entry.code.split('\n').map((line) => `  ${line}`),
  ].join('\n');
}
