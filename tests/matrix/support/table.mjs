// The results of the matrix as Markdown.

import { grades } from './matrix.mjs';

const ORDER = ['bundlers', 'Next', 'pages', 'runtimes', 'test runners', 'types'];
const HEAD = ['consumer', 'version', 'grade', 'the line', 'what ran'];

function tableOf(results) {
  const rows = results.map(({ consumer, version, grade, line = '', ran }) => {
    return [consumer, version, ran === null ? 'FAILS' : grades[grade], line, (ran ?? []).join(', ')];
  });
  const lines = [HEAD, HEAD.map(() => '-'), ...rows].map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')));
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** A table for each group that ran. */
export function tablesOf(results) {
  const groups = ORDER.filter((group) => results.some((result) => result.group === group));
  return groups.map((group) => `## ${group}\n\n${tableOf(results.filter((result) => result.group === group))}`).join('\n');
}

/** docs/matrix.md. */
export function pageOf(results, version, date) {
  return `# Where it runs

Written by \`npm run test:matrix\` on ${date}, fovea ${version}, ${process.platform} ${process.arch}. Each line is a project with the packed package, which was
built or started and computed the worked example. Where the package itself can tell that the line is missing, the project runs without
it first, and the error that names it is checked. Pages ran in Chromium, cross-origin isolated.

- **${grades.works}**: install, import, run.
- **${grades.line}**: the line of the table.
- **${grades.inline}**: the entry that carries the wasm file inside the JavaScript.

${tablesOf(results)}`;
}
