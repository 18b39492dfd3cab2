// `npm run build:docs`: the documentation as a site of its own in web/dist/docs, beside the built page: README, docs/ and the docstrings of all entries,
// searched without a server. Needs dist (npm run build:js); the page's build empties web/dist, so it comes first.
//   --strict   fails where a link leads nowhere

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, Comment, Converter, IndexEvent, PageEvent, ReflectionKind, KindRouter } from 'typedoc';
import { llmsForSite } from './llms.mjs';
import { documentPages, siteName } from './pages.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const out = join(root, 'web/dist/docs');

/** The entries and the files of their types, as package.json has them. */
const { exports, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const entries = Object.entries(exports)
  .filter(([name, target]) => typeof target.types === 'string' && !name.endsWith('.wasm'))
  .map(([name, { types }]) => ({ name: name.replace('.', 'fovea'), types: join(root, types) }));

const FRONT = 'start.md';

/** The READMEs have no links to files, since a registry and the package have them without those. Here the paths of pages become links. */
function linked(text, pages) {
  const paths = new Set(pages.map(({ path }) => path));
  const entryPage = (name) =>
    `docs/${{ fovea: 'attention', inline: 'loading', core: 'loading', supports: 'loading', serve: 'worker' }[name] ?? name}.md`;
  return text
    .replace(/`((?:docs|bench)\/[\w/-]+\.md|README\.zh\.md)`/g, (code, path) => (paths.has(path) ? `[${code}](${path})` : code))
    .replace(/^\| (`fovea(?:\/([\w-]+))?`)/gm, (row, code, name = 'fovea') => `| [${code}](${entryPage(name)})`);
}

/** Copies of the pages under their own paths, so that links between them hold, with the titles that the site shows. */
async function writeSources(folder) {
  const pages = documentPages(root);
  const header = ({ title, group }) => `---\ntitle: ${JSON.stringify(title)}\ngroup: ${group}\n---\n\n`;
  for (const page of pages) {
    await mkdir(dirname(join(folder, page.path)), { recursive: true });
    const text = page.path === 'README.zh.md' ? linked(page.text, pages) : page.text;
    await writeFile(join(folder, page.path), header(page) + text);
  }
  const readme = linked(await readFile(join(root, 'README.md'), 'utf8'), pages);
  await writeFile(join(folder, 'README.md'), readme);
  // The front page once more as a document: the search finds documents.
  await writeFile(join(folder, FRONT), header({ title: 'fovea', group: 'Guides' }) + readme);
  for (const path of ['bench/chart.svg', 'bindings/wasm/NOTICE.txt']) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await copyFile(join(root, path), join(folder, path));
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: entries.map(({ types }) => types) }));
  return [FRONT, ...pages.map(({ path }) => path)].map((path) => join(folder, path));
}

/** llms.txt, llms-full.txt, and each page as it was written beside its HTML. */
async function writeForModels() {
  const { short, full } = llmsForSite();
  await writeFile(join(out, 'llms.txt'), short);
  await writeFile(join(out, 'llms-full.txt'), full);
  for (const path of ['README.md', ...documentPages(root).map((page) => page.path)])
    await copyFile(join(root, path), join(out, siteName(path)));
}

const compilerOptions = {
  target: 'ES2022',
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  lib: ['ES2022', 'DOM', 'DOM.Iterable', 'ESNext.Disposable'],
  types: [],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

/** The comment at the top of a file of types, which says of the entry as a whole. */
function leadingComment(path) {
  const words = /^\/\*\*([^]*?)\*\//.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
  return words.replace(/^\s*\* ?/gm, '').trim();
}

/** Pages of prose have the addresses of their files: docs/recipes/images.md is recipes/images.html. */
class PageRouter extends KindRouter {
  getIdealBaseName(reflection) {
    if (!reflection.isDocument()) return super.getIdealBaseName(reflection);
    return pathOf(reflection)
      .replace(/^docs\//, '')
      .replace(/\.md$/, '');
  }
}

/** The file that a page of prose was made from, from the root of the repository. */
const pathOf = (reflection) => relative(folder, reflection.project.files.getReflectionPath(reflection)).replaceAll('\\', '/');

/** Runs before the first paint: the theme that the page has stored is taken here, too, and the menu opens with its guides. */
const FIRST_SCRIPT = `try {
  const theme = { auto: 'os', light: 'light', dark: 'dark' }[localStorage.getItem('fovea.theme')];
  if (theme) localStorage.setItem('tsd-theme', theme);
  document.documentElement.dataset.theme = localStorage.getItem('tsd-theme') || 'os';
  for (const group of ['Guides', 'Recipes']) localStorage['tsd-accordion-' + group] ??= 'true';
} catch {
  document.documentElement.dataset.theme = 'os';
}`;
const FIRST_HASH = createHash('sha256').update(FIRST_SCRIPT).digest('base64');
/** Nothing but the site's own files; the search index and the menu are unpacked from data. */
const POLICY = `default-src 'none'; script-src 'self' 'sha256-${FIRST_HASH}'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' data:; base-uri 'none'; form-action 'none'`;

/** The links to the page and the two READMEs, the policy, the language. */
function finish(event) {
  const base = /data-base="([^"]*)"/.exec(event.contents)?.[1] ?? './';
  const isChinese = event.model.isDocument?.() === true && pathOf(event.model).endsWith('.zh.md');
  const links = `<a href="${base}../">Page</a><a href="${base}README.zh.html" lang="zh-Hans">中文</a>`;
  event.contents = event.contents
    // A name that is one word is not broken at its capitals.
    .replace(/(Py|Tensor)<wbr\/>(Torch|Flow)/g, '$1$2')
    .replace(/<body><script>[^]*?<\/script>/, `<body><script>${FIRST_SCRIPT}</script>`)
    .replace(
      '<meta charset="utf-8"/>',
      `<meta charset="utf-8"/><meta http-equiv="Content-Security-Policy" content="${POLICY}"/>`,
    )
    .replace('<div id="tsd-toolbar-links">', `<div id="tsd-toolbar-links">${links}`)
    .replace('<div class="col-content">', `<div class="col-content"${isChinese ? ' lang="zh-Hans"' : ''}>`);
}

const folder = await mkdtemp(join(root, 'build/docs-'));
try {
  const app = await Application.bootstrap({
    name: 'fovea',
    entryPoints: entries.map(({ types }) => types),
    tsconfig: join(folder, 'tsconfig.json'),
    readme: join(folder, 'README.md'),
    projectDocuments: await writeSources(folder),
    out,
    customCss: here('site.css'),
    customJs: here('site.js'),
    favicon: join(root, 'web/public/mark.svg'),
    categorizeByGroup: false,
    // A guide first, then what it names.
    searchGroupBoosts: { Guides: 40, Recipes: 20, Project: 5, Modules: 3 },
    groupOrder: ['Guides', 'Recipes', 'Project', 'Modules', '*'],
    sort: ['documents-first', 'source-order'],
    navigation: { includeGroups: true, includeCategories: false, includeFolders: false },
    searchInDocuments: true,
    searchInComments: true,
    disableSources: true,
    excludeInternal: true,
    router: 'fovea',
    githubPages: false,
    hideGenerator: true,
    headings: { readme: false, document: false },
    lightHighlightTheme: 'github-light-high-contrast',
    darkHighlightTheme: 'github-dark-default',
    // Only addresses with https:// are links: word.bw is a parameter, not a host.
    markdownItLoader: (parser) => parser.linkify.set({ fuzzyLink: false }),
    highlightLanguages: ['ftl', 'js', 'ts', 'jsx', 'svelte', 'vue', 'html', 'sh', 'json', 'text', 'python', 'csv', 'http'],
    validation: { invalidLink: true, notExported: false },
    logLevel: 'Warn',
  });
  // A module is the entry that a program imports, not the file of its types.
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getChildrenByKind(ReflectionKind.Module)) {
      const entry = entries.find(
        ({ types }) => types.endsWith(`/dist/${module.name}.d.ts`) || types.endsWith(`/${module.name}/index.d.ts`),
      );
      if (entry === undefined) throw new Error(`${module.name} is no entry of package.json`);
      module.name = entry.name;
      module.comment = new Comment([{ kind: 'text', text: leadingComment(entry.types) }]);
    }
  });
  app.renderer.defineRouter('fovea', PageRouter);
  app.renderer.on(PageEvent.END, finish);
  // A word of a text counts nearly as much as one of a name: what is asked for is mostly told in a guide.
  app.renderer.on(IndexEvent.PREPARE_INDEX, ({ searchFieldWeights }) => (searchFieldWeights.document = 8));
  const project = await app.convert();
  if (!project) throw new Error('the documentation was not understood');
  await app.generateDocs(project, out);
  await writeForModels();
  if (app.logger.hasErrors() || (app.logger.hasWarnings() && process.argv.includes('--strict'))) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
