// The pages of the documentation: README, docs/*.md and the files beside README, in the order in which they are read.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The order of docs/; a page that is not named here comes last. */
const ORDER = [
  'attention',
  'loading',
  'troubleshooting',
  'matrix',
  'cli',
  'pytorch',
  'numerics',
  'reliability',
  'ops',
  'pattern',
  'score',
  'position',
  'linear-attention',
  'cache',
  'nn',
  'models',
  'train',
  'mechanisms',
  'catalog',
  'files',
  'worker',
  'trained',
  'element',
  'claims',
  'architecture',
  'texts',
];

/** Pages of docs/ for those who look at the project itself. */
const OF_THE_PROJECT = ['claims', 'architecture', 'texts'];

/** How the recipes are read. */
const RECIPES = [
  'semantic-search',
  'fine-tune',
  'streaming-decode',
  'heads-while-writing',
  'long-documents',
  'many-machines',
  'images',
  'frameworks',
  'worker',
  'node',
];

/** Files beside README.md that are part of the documentation, where they exist. */
const BESIDE = [
  'README.zh.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'VERSIONS.md',
  'THIRD_PARTY.md',
  'bench/README.md',
];

/**
 * All pages but README.md itself, in order.
 *
 * @param {string} root - the repository
 * @returns {{ path: string, group: 'Guides' | 'Recipes' | 'Project', title: string, text: string }[]} paths from the root
 */
export function documentPages(root) {
  const inFolder = (folder, order) => {
    return readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`)
      .sort((a, b) => rank(order, a) - rank(order, b) || a.localeCompare(b));
  };
  const page = (group) => (path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, group, title: titleOf(text, path), text };
  };
  const there = new Set(readdirSync(root));
  return [
    ...inFolder('docs', ORDER).map((path) => page(OF_THE_PROJECT.includes(basename(path, '.md')) ? 'Project' : 'Guides')(path)),
    ...inFolder('docs/recipes', RECIPES).map(page('Recipes')),
    ...BESIDE.filter((path) => path.includes('/') || there.has(path)).map(page('Project')),
  ];
}

function rank(order, path) {
  const at = order.indexOf(basename(path, '.md'));
  return at < 0 ? order.length : at;
}

/** The first heading, as far as its colon: a name for the menu. */
export function titleOf(text, path) {
  if (path === 'README.zh.md') return '中文';
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`${path} has no heading`);
  return title.replace(/`|[<>]/g, '').split(/: |：/)[0];
}

/** The path of a page in the site: docs/ is its root. */
export const siteName = (path) => path.replace(/^docs\//, '');
