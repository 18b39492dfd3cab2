// `npm run llms`: llms.txt, a list of the documentation's pages for language models. The site has it too, with llms-full.txt, all pages in one file.
//   --check   writes nothing, and fails where llms.txt is not that of the pages

import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentPages, siteName } from './pages.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const headings = { Guides: 'Guides', Recipes: 'Recipes', Project: 'Optional' };

const heading = (text) => /^# (.+)$/m.exec(text)[1];

/** The first sentence of prose, without the marks of Markdown. */
function firstSentence(text) {
  const prose = text
    .replace(/^```[^]*?^```$/gm, '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .find((paragraph) => paragraph !== '' && !/^(#|\||[-*] |\d\. |!\[|<!--|English · )/.test(paragraph));
  const words = (prose ?? '')
    .replace(/\s+/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '');
  return (/^.*?[.!?](?= |$)/.exec(words)?.[0] ?? words).replace(/:$/, '.');
}

/**
 * Both files.
 *
 * @param {(path: string) => string} addressOf - where a page lies, seen from llms.txt
 */
export function llmsFiles(addressOf) {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const pages = documentPages(root).filter(({ path }) => !path.endsWith('.zh.md'));
  const entry = ({ path, text }) => `- [${heading(text)}](${addressOf(path)}): ${firstSentence(text)}`;
  const short = [
    `# ${heading(readme)}`,
    `> ${firstSentence(readme)} No dependencies.`,
    'JavaScript blocks of all pages run as they stand: `npm install fovea`, ES modules, Node 20 or newer or a browser with WebAssembly SIMD.',
    `## Start\n\n${entry({ path: 'README.md', text: readme })}`,
    ...Object.entries(headings).map(
      ([group, title]) =>
        `## ${title}\n\n${pages
          .filter((page) => page.group === group)
          .map(entry)
          .join('\n')}`,
    ),
  ].join('\n\n');
  const full = [{ path: 'README.md', text: readme }, ...pages].map(({ path, text }) => `<!-- ${path} -->\n\n${text.trim()}`);
  return { short: `${short}\n`, full: `${full.join('\n\n---\n\n')}\n` };
}

/** For the site, where a page lies beside its HTML. */
export const llmsForSite = () => llmsFiles(siteName);

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const file = join(root, 'llms.txt');
  const { short } = llmsFiles((path) => path);
  if (!process.argv.includes('--check')) writeFileSync(file, short);
  else if (readFileSync(file, 'utf8') !== short) {
    console.error('llms.txt is not as the pages are now; "npm run llms" writes it');
    process.exitCode = 1;
  }
}
