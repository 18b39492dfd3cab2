// The private toolchain of Debian 12. Its own Emscripten and xsimd are too old; Debian 13 has good ones, but installing
// them would upgrade the system's libc. So their packages are only unpacked, into a folder of ours, with the libc that
// Binaryen needs beside them; clang 19 is Debian 12's own. The system and its package sources stay as they are.

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SetupError, step } from './steps.mjs';

const systemRelease = 'bookworm';
const donorRelease = 'trixie';

const xsimdPackages = ['libxsimd-dev', 'xtl-dev'];
// The last three are what Binaryen is linked with; emcc's optimizer imports acorn.
const emscriptenPackages = ['emscripten', 'node-acorn', 'binaryen', 'libc6', 'libstdc++6', 'libgcc-s1'];

/** Whether the machine is one that this recipe is for. */
export function suitsPrivateToolchain() {
  const file = '/etc/os-release';
  return existsSync(file) && /^VERSION_CODENAME="?bookworm"?$/m.test(readFileSync(file, 'utf8'));
}

/** Unpacks what is asked for into `dir`. */
export async function buildPrivateToolchain(dir, { emscripten, xsimd }, run) {
  const packages = [...(emscripten ? emscriptenPackages : []), ...(xsimd ? xsimdPackages : [])];
  const scratch = join(dir, 'scratch');
  const archives = await step(`fetching ${packages[0]} and what it needs`, () => download(scratch, packages, run));
  await step(`unpacking ${packages[0]} and what it needs`, async () => {
    for (const archive of archives) await run('dpkg-deb', ['-x', archive, dir]);
    rmSync(scratch, { recursive: true });
    if (emscripten) arrangeEmscripten(dir);
  });
}

/** Downloads packages of the donor release through an apt state of its own; returns the archives' paths. */
async function download(scratch, packages, run) {
  const at = (name) => join(scratch, name);
  for (const name of ['sources', 'preferences', 'lists/partial', 'archives/partial']) mkdirSync(at(name), { recursive: true });
  writeFileSync(at('status'), '');
  writeDonorSources(at('sources'));

  const settings = [
    'Dir::Etc::sourcelist=/dev/null',
    `Dir::Etc::sourceparts=${at('sources')}`,
    'Dir::Etc::preferences=/dev/null',
    `Dir::Etc::preferencesparts=${at('preferences')}`,
    `Dir::State::lists=${at('lists')}`,
    `Dir::State::status=${at('status')}`,
    `Dir::Cache::archives=${at('archives')}`,
    'Dir::Cache::pkgcache=',
    'Dir::Cache::srcpkgcache=',
    'APT::Default-Release=',
    'APT::Sandbox::User=root',
    'Acquire::Languages=none',
    'Acquire::Retries=3',
  ].flatMap((setting) => ['-o', setting]);
  try {
    await run('apt-get', [...settings, 'update']);
  } catch {
    // A third party's source may not know the donor release. If Debian's own failed, the download says so.
  }
  try {
    await run('apt-get', [...settings, 'download', ...packages], { cwd: at('archives') });
  } catch (error) {
    throw new SetupError(`Debian's package mirror does not answer, or not for ${donorRelease}: ${error.message}`);
  }
  return readdirSync(at('archives'))
    .filter((name) => name.endsWith('.deb'))
    .map((name) => join(at('archives'), name));
}

/** Copies the machine's own package sources with the release's name changed: so no mirror's name stands here. */
function writeDonorSources(dir) {
  const parts = '/etc/apt/sources.list.d';
  const files = ['/etc/apt/sources.list'];
  if (existsSync(parts)) files.push(...readdirSync(parts).map((name) => join(parts, name)));
  let found = false;
  for (const file of files.filter((name) => /\.(list|sources)$/.test(name) && existsSync(name))) {
    // Only as a suite of its own (bookworm, bookworm-updates): the name also occurs in the paths of keys.
    const text = readFileSync(file, 'utf8');
    const donor = text.replace(new RegExp(`(?<=[\\s:])${systemRelease}(?=[-/\\s]|$)`, 'g'), donorRelease);
    found ||= donor !== text;
    if (donor !== text) writeFileSync(join(dir, basename(file)), donor);
  }
  if (!found) throw new SetupError(`no package source of Debian ${systemRelease} in /etc/apt`);
}

/** Makes emcc work from `dir`, wherever that is moved to. */
function arrangeEmscripten(dir) {
  const root = join(dir, 'usr/share/emscripten');
  symlinkSync('../nodejs', join(root, 'node_modules'));
  // Else Node takes emcc's own .js files for modules, as our package.json says, and its minifier fails.
  writeFileSync(join(dir, 'package.json'), '{ "type": "commonjs" }\n');
  // System libraries for dynamic linking, nearly half of it all, and we link statically.
  for (const name of ['pic', 'lto-pic']) {
    rmSync(join(root, 'cache/sysroot/lib/wasm32-emscripten', name), { recursive: true });
  }
  wrapBinaryen(dir);
  writeFileSync(
    join(root, '.emscripten'),
    `import os
prefix = os.path.join(os.path.dirname(os.environ['EM_CONFIG']), '../../..')
LLVM_ROOT = '/usr/lib/llvm-19/bin'
BINARYEN_ROOT = os.path.join(prefix, 'binaryen')
NODE_JS = os.path.join(prefix, '../scripts/emcc_node.sh')
FROZEN_CACHE = True
`,
  );
}

/** Binaryen's programs want a newer libc than the system's: start each through the loader that came with it. */
function wrapBinaryen(dir) {
  const bin = join(dir, 'binaryen/bin');
  mkdirSync(bin, { recursive: true });
  const loader = findLoader(dir);
  for (const program of readdirSync(join(dir, 'usr/bin')).filter((name) => name.startsWith('wasm'))) {
    const wrapper = join(bin, program);
    writeFileSync(
      wrapper,
      `#!/bin/sh
usr="\${0%/*}/../../usr"
exec "$usr/lib/${loader.dir}/${loader.name}" --library-path "$usr/lib/${loader.dir}" "$usr/bin/${program}" "$@"
`,
    );
    chmodSync(wrapper, 0o755);
  }
}

/** The dynamic loader of the unpacked libc, in the folder that is named after the machine's architecture. */
function findLoader(dir) {
  for (const entry of readdirSync(join(dir, 'usr/lib'), { withFileTypes: true }).filter((e) => e.isDirectory())) {
    const name = readdirSync(join(dir, 'usr/lib', entry.name)).find((file) => /^ld-linux.*\.so\.\d+$/.test(file));
    if (name) return { dir: entry.name, name };
  }
  throw new SetupError('the unpacked libc6 has no dynamic loader');
}
