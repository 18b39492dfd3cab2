// `npm run docs:catalog`: the tables of docs/catalog.md, of the catalog's entries; the text around them stays. Needs dist (npm run build:js).
//   --check   writes nothing, and fails where the tables are not those of the entries

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { list } from 'fovea/catalog';

const file = fileURLToPath(new URL('../../docs/catalog.md', import.meta.url));
const headings = { option: 'Choices of a call', system: 'Systems' };

function source({ paper, year }) {
  if (paper === null) return String(year);
  const authors = paper.authors.split(', ');
  const names = authors.length > 2 ? `${authors[0]} et al.` : authors.join(' and ');
  return paper.url === undefined ? `${names} ${year}` : `[${names} ${year}](${paper.url})`;
}

const table = (entries) =>
  [
    '| id | mechanism | in Chinese | source |\n|---|---|---|---|',
    ...entries.map((entry) => `| \`${entry.id}\` | ${entry.title.en} | ${entry.title.zh} | ${source(entry)} |`),
  ].join('\n');

const text = readFileSync(file, 'utf8');
const made = Object.entries(headings).reduce((page, [kind, heading]) => {
  const found = new RegExp(`(## ${heading}\n\n)(?:\\|.*(?:\n|$))+`);
  if (!found.test(page)) throw new Error(`docs/catalog.md has no table below "## ${heading}"`);
  return page.replace(found, (_, title) => `${title}${table(list().filter((entry) => entry.kind === kind))}\n`);
}, text);

if (!process.argv.includes('--check')) writeFileSync(file, made);
else if (made !== text) {
  console.error('docs/catalog.md is not as the entries are now; "npm run docs:catalog" writes it');
  process.exitCode = 1;
}
