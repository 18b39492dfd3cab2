// Finds the tools that fovea is built and tested with. It installs nothing: `npm run setup` does.

import { accessSync, constants, existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const scripts = dirname(fileURLToPath(import.meta.url));

/** The private prefix that `npm run setup` makes; git ignores it. */
export const prefixDir = join(dirname(scripts), '.toolchain');

export const minimumEmscripten = '3.1.60'; // Embind and relaxed SIMD as the build uses them
export const minimumXsimd = 12; // the first major version whose WebAssembly back end has all we use

/**
 * The Emscripten and the xsimd to build with.
 *
 * @param {string} prefix - the private prefix, another one only while the set-up makes it
 * @returns {{
 *   emcc?: string, emxx?: string, version?: string, source?: 'path' | 'emsdk' | 'private',
 *   emcmakeToolchainFile?: string, xsimdInclude?: string,
 *   env: Record<string, string>, missing: string[]
 * }} `missing` is empty when all is there; `env` is to be added to the environment of emcc and of cmake
 */
export function findToolchain(prefix = prefixDir) {
  const missing = [];
  const found = findEmscripten() ?? privateEmscripten(prefix);
  if (!found) missing.push(`Emscripten ${minimumEmscripten} or newer`);
  const xsimdInclude = [process.env.XSIMD_INCLUDE_DIR, join(prefix, 'include')].find(hasXsimd);
  if (!xsimdInclude) missing.push(`xsimd ${minimumXsimd} or newer`);

  const env = { EM_NODE_JS: join(scripts, 'emcc_node.sh'), FOVEA_NODE: process.execPath };
  // Without this, an EM_CONFIG that belongs to another Emscripten would be taken.
  if (found?.source === 'private') env.EM_CONFIG = join(found.root, '.emscripten');
  if (!found) return { xsimdInclude, env, missing };
  return {
    emcc: join(found.root, 'emcc'),
    emxx: join(found.root, 'em++'),
    version: found.version,
    source: found.source,
    emcmakeToolchainFile: join(found.root, 'cmake/Modules/Platform/Emscripten.cmake'),
    xsimdInclude,
    env,
    missing,
  };
}

/** `findToolchain`, but throws one line that says what to do when something is missing. */
export function requireToolchain() {
  const toolchain = findToolchain();
  if (toolchain.missing.length > 0) {
    throw new Error(`${toolchain.missing.join(' and ')} not found: run "npm run setup"`);
  }
  return toolchain;
}

/** A suitable Emscripten that is not ours: on PATH, or under $EMSDK. */
export function findEmscripten() {
  const onPath = which('em-config');
  const places = [
    // em-config knows its root however it was installed: by Debian, Homebrew, emsdk.
    { source: 'path', root: onPath && outputOf(onPath, ['EMSCRIPTEN_ROOT']) },
    { source: 'emsdk', root: process.env.EMSDK && join(process.env.EMSDK, 'upstream/emscripten') },
  ];
  return places.map(withVersion).find((place) => place && isAtLeast(place.version, minimumEmscripten));
}

function privateEmscripten(prefix) {
  return withVersion({ source: 'private', root: join(prefix, 'usr/share/emscripten') });
}

function withVersion({ source, root }) {
  const file = root && join(root, 'emscripten-version.txt');
  if (!file || !existsSync(file)) return undefined;
  return { source, root, version: readFileSync(file, 'utf8').replace(/["\s]/g, '') };
}

/** A folder of the machine with suitable xsimd headers. Not for emcc itself: it may hold the host's libc too. */
export function findSystemXsimd() {
  return [process.env.XSIMD_INCLUDE_DIR, '/usr/include', '/usr/local/include', '/opt/homebrew/include'].find(hasXsimd);
}

/** Whether `dir` holds xsimd headers that are new enough and have the WebAssembly back end. */
export function hasXsimd(dir) {
  const config = dir && join(dir, 'xsimd/config/xsimd_config.hpp');
  if (!config || !existsSync(config) || !existsSync(join(dir, 'xsimd/arch/xsimd_wasm.hpp'))) return false;
  const major = /define XSIMD_VERSION_MAJOR (\d+)/.exec(readFileSync(config, 'utf8'));
  return Number(major?.[1]) >= minimumXsimd;
}

/** The path of Chromium or Chrome, or undefined. $CHROMIUM goes first. */
export function findBrowser() {
  return firstProgram(
    process.env.CHROMIUM,
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  );
}

/** The path of Chromium without the browser around its pages, or undefined; where $CHROMIUM names a browser, that one is meant. */
export function findHeadlessShell() {
  return process.env.CHROMIUM ? undefined : which('chromium-headless-shell');
}

/** The path of Firefox, or undefined. $FIREFOX goes first. */
export function findFirefox() {
  return firstProgram(process.env.FIREFOX, 'firefox-esr', 'firefox', '/Applications/Firefox.app/Contents/MacOS/firefox');
}

/** The paths of WebKitGTK's driver and of its browser, or undefined. */
export function findWebKit() {
  const driver = which('WebKitWebDriver');
  const lib = '/usr/lib';
  const dirs = existsSync(lib) ? readdirSync(lib).map((name) => join(lib, name)) : []; // one of them is the architecture's
  const browser = dirs.map((dir) => join(dir, 'webkit2gtk-4.1/MiniBrowser')).find(isProgram);
  return driver && browser ? { driver, browser } : undefined;
}

/** The folder of GoogleTest's sources (they are compiled for native and for wasm), or undefined. */
export function findGoogleTest() {
  return [process.env.GOOGLETEST_DIR, '/usr/src/googletest'].find(
    (dir) => dir && existsSync(join(dir, 'googletest/src/gtest-all.cc')),
  );
}

/** Debian's clang 19, the one of its Emscripten. */
export const llvm = '/usr/lib/llvm-19';

/** Whether that clang can link its sanitizers: it compiles the sanitized C++ tests in two thirds of the time of g++. */
export function hasSanitizingClang() {
  const runtime = join(llvm, 'lib/clang/19/lib/linux');
  const files = existsSync(runtime) ? readdirSync(runtime) : []; // named after the architecture
  return isProgram(join(llvm, 'bin/clang++')) && files.some((name) => name.startsWith('libclang_rt.asan-'));
}

/** The path of a program on PATH, or undefined. */
export function which(name) {
  const places = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return places.map((dir) => join(dir, name)).find(isProgram);
}

function firstProgram(...names) {
  for (const name of names.filter(Boolean)) {
    const path = name.includes('/') ? isProgram(name) && name : which(name);
    if (path) return path;
  }
  return undefined;
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function outputOf(program, args) {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** Whether the dotted version `a` is `b` or newer; what follows a letter or a `~` does not count. */
export function isAtLeast(a, b) {
  const numbers = (version) =>
    version
      .split(/[^\d.]/)[0]
      .split('.')
      .map(Number);
  const [x, y] = [numbers(a), numbers(b)];
  const i = y.findIndex((part, at) => part !== (x[at] ?? 0));
  return i < 0 || (x[i] ?? 0) > y[i];
}
