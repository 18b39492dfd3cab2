// `npm run setup`: gets what fovea is built and tested with. A second run finds all in place and does nothing.
//   --browsers   also Firefox, WebKitGTK and a virtual display, for the smoke tests in other engines

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findApt } from './apt.mjs';
import { buildPrivateToolchain, suitsPrivateToolchain } from './private_toolchain.mjs';
import { mapLimited } from './processes.mjs';
import { SetupError, makeRunner, step } from './steps.mjs';
import * as tools from './toolchain.mjs';
import { tryToolchain } from './try_toolchain.mjs';

const { llvm, prefixDir, which } = tools;
const linux = process.platform === 'linux';

/** Debian's packages: what each is for, and how to see that the machine has no need of it. */
const packages = [
  { name: 'g++', use: 'build', found: () => which('g++') ?? which('clang++') },
  { name: 'cmake', use: 'build', found: () => which('cmake') },
  { name: 'ninja-build', use: 'build', found: () => which('ninja') },
  { name: 'make', use: 'build', found: () => which('make') },
  { name: 'git', use: 'build', found: () => which('git') },
  { name: 'python3', use: 'build', found: () => which('python3') }, // emcc is written in it
  { name: 'ca-certificates', use: 'build', found: () => !linux || existsSync('/etc/ssl/certs/ca-certificates.crt') },
  { name: 'clang-19', use: 'private emcc', found: () => existsSync(join(llvm, 'bin/clang')) },
  { name: 'lld-19', use: 'private emcc', found: () => existsSync(join(llvm, 'bin/wasm-ld')) },
  { name: 'llvm-19', use: 'private emcc', found: () => existsSync(join(llvm, 'bin/llvm-ar')) },
  { name: 'googletest', use: 'tests', found: tools.findGoogleTest },
  { name: 'chromium', use: 'tests', found: tools.findBrowser },
  // The page's lessons hold Chinese characters; without a font for them a browser draws boxes.
  { name: 'fonts-noto-cjk', use: 'tests', found: () => !linux || existsSync('/usr/share/fonts/opentype/noto') },
  { name: 'firefox-esr', use: 'browsers', found: tools.findFirefox },
  { name: 'webkit2gtk-driver', use: 'browsers', found: tools.findWebKit },
  { name: 'xvfb', use: 'browsers', found: () => which('Xvfb') },
];

/** Packages that make builds and tests quicker; nothing needs them. */
const quicker = [
  { name: 'ccache', found: () => which('ccache') },
  { name: 'libclang-rt-19-dev', found: () => !existsSync(join(llvm, 'bin/clang')) || tools.hasSanitizingClang() },
  { name: 'chromium-headless-shell', found: () => process.env.CHROMIUM || tools.findHeadlessShell() },
];

/** Tools that the packages above lack: Debian's name, and how to get one where apt's is too old. */
const toolchainParts = {
  emscripten: {
    package: 'emscripten',
    minimum: tools.minimumEmscripten,
    found: tools.findEmscripten,
    byHand: `Emscripten >= ${tools.minimumEmscripten} (from github.com/emscripten-core/emsdk; put emcc on PATH or set EMSDK)`,
  },
  xsimd: {
    package: 'libxsimd-dev',
    minimum: String(tools.minimumXsimd),
    found: tools.findSystemXsimd,
    byHand: `xsimd >= ${tools.minimumXsimd} (from github.com/xtensor-stack/xsimd; set XSIMD_INCLUDE_DIR to its include folder)`,
  },
};

// Raise this when what the prefix holds changes: the next set-up then makes it anew.
const prefixVersion = '1\n';
const stampFile = join(prefixDir, 'stamp');
const [partial, old] = [`${prefixDir}.partial`, `${prefixDir}.old`]; // one being made, and the one before

async function main(args) {
  const unknown = args.find((arg) => arg !== '--browsers');
  if (unknown) throw new SetupError(`unknown option ${unknown}; there is only --browsers`);
  if (!tools.isAtLeast(process.versions.node, '20')) {
    throw new SetupError(`Node ${process.versions.node} is too old: get Node 20 or newer from nodejs.org`);
  }
  const uses = ['build', 'tests'];
  if (args.includes('--browsers')) uses.push('browsers');

  const toolchain = tools.findToolchain();
  const prefixDone = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === prefixVersion;
  const toolchainDone = prefixDone && toolchain.missing.length === 0;
  if (toolchainDone && toolchain.source === 'private') uses.push('private emcc');
  if (toolchainDone && missingPackages(uses).length === 0) return report();

  const logFile = join(dirname(prefixDir), 'build', 'setup.log');
  const run = makeRunner(logFile);
  console.log(`  a minute or two; ${logFile} tells what is going on`);
  const apt = findApt(run);
  if (apt) await step('reading the package lists', apt.update);
  const origins = toolchainDone ? {} : chooseOrigins(apt);
  if (origins.emscripten === 'private') uses.push('private emcc');
  const installAll = async () => {
    await install(missingPackages(uses), origins, apt);
    if (apt) await installQuicker(apt);
  };
  const parts = toolchainDone ? [installAll] : [installAll, () => unpackPrefix(origins, run)];
  // Side by side: both wait for mirrors, and unpacking takes one core.
  await mapLimited(parts, parts.length, (part) => part());
  if (!toolchainDone) await finishPrefix(origins, run);
  report();
}

function missingPackages(uses) {
  return packages.filter((item) => uses.includes(item.use) && !item.found());
}

/** Where Emscripten and xsimd come from: there already, apt, Debian 13's packages unpacked here, or the user's hand. */
function chooseOrigins(apt) {
  const choose = (part) => {
    if (part.found()) return 'system';
    if (tools.isAtLeast(apt?.candidate(part.package) ?? '0', part.minimum)) return 'apt';
    return apt && suitsPrivateToolchain() ? 'private' : 'by hand';
  };
  return Object.fromEntries(Object.entries(toolchainParts).map(([name, part]) => [name, choose(part)]));
}

/** Installs what apt has. Without a browser or GoogleTest fovea still builds; without the rest the set-up stops. */
async function install(wanted, origins, apt) {
  const partsFrom = (origin) =>
    Object.keys(origins)
      .filter((name) => origins[name] === origin)
      .map((name) => toolchainParts[name]);
  const [obtainable, unobtainable] = partition(wanted, (item) => apt?.candidate(item.name));
  const [optional, needed] = partition(unobtainable, (item) => item.use === 'tests' || item.use === 'browsers');

  const byHand = [...needed.map((item) => item.name), ...partsFrom('by hand').map((part) => part.byHand)];
  if (byHand.length > 0) throw new SetupError(`missing, and no apt package serves here: ${byHand.join(', ')}`);
  if (optional.length > 0) console.log(`  tests will be skipped for want of ${list(optional.map((item) => item.name))}`);

  const names = [...obtainable.map((item) => item.name), ...partsFrom('apt').map((part) => part.package)];
  if (names.length > 0) await step(`installing ${list(names)}`, () => apt.install(names));
}

async function installQuicker(apt) {
  const names = quicker.filter(({ name, found }) => !found() && apt.candidate(name)).map(({ name }) => name);
  if (names.length === 0) return;
  try {
    await step(`installing ${list(names)}`, () => apt.install(names));
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.log('  builds and tests go without, and take longer');
  }
}

function partition(items, test) {
  const yes = items.filter(test);
  return [yes, items.filter((item) => !yes.includes(item))];
}

/** Names for one short line. */
function list(names) {
  return names.length > 4 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
}

/** Unpacks, beside its place, the parts of the prefix that need no package of the system. */
async function unpackPrefix({ emscripten, xsimd }, run) {
  for (const leftover of [partial, old]) rmSync(leftover, { recursive: true, force: true });
  mkdirSync(join(partial, 'include'), { recursive: true });
  if (emscripten === 'private' || xsimd === 'private') {
    await buildPrivateToolchain(partial, { emscripten: emscripten === 'private', xsimd: xsimd === 'private' }, run);
  }
}

/** Moves the prefix to its place when it is complete and tried. */
async function finishPrefix({ xsimd }, run) {
  // A folder of xsimd alone, since its folder in the system also holds the host's libc, which emcc must not see.
  const home = xsimd === 'private' ? '../usr/include' : resolve(tools.findSystemXsimd());
  symlinkSync(join(home, 'xsimd'), join(partial, 'include/xsimd'));

  await step('trying it: compile, link, run', () => tryToolchain(tools.findToolchain(partial), join(partial, 'trial'), run));
  writeFileSync(join(partial, 'stamp'), prefixVersion);
  if (existsSync(prefixDir)) renameSync(prefixDir, old);
  renameSync(partial, prefixDir);
  rmSync(old, { recursive: true, force: true });
}

function report() {
  const { version, source } = tools.findToolchain();
  console.log(`  Emscripten ${version} (${source}), Node ${process.versions.node}: all is in place`);
}

try {
  console.log('fovea set-up');
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`fovea set-up stopped: ${error.message}`);
  process.exitCode = 1;
}
