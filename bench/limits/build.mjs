// Compiles limits.cpp into build/bench/limits-simd128.wasm and build/bench/limits-relaxed.wasm: modules without imports,
// which any engine starts without glue. Nothing is done where they are newer than what they are made of.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireToolchain } from '../../scripts/toolchain.mjs';
import { buildDir } from '../paths.mjs';

const source = fileURLToPath(new URL('limits.cpp', import.meta.url));
const self = fileURLToPath(import.meta.url);
const features = { simd128: ['-msimd128'], relaxed: ['-msimd128', '-mrelaxed-simd'] };

const flags = [
  ...['-std=c++20', '-O3', '-fno-exceptions', '-fno-rtti', '-ffp-contract=off', '--no-entry'],
  ...['-sSTANDALONE_WASM', '-sINITIAL_MEMORY=80MB', '-sEXPORTED_FUNCTIONS=[]'],
];

export function buildLimits() {
  mkdirSync(buildDir, { recursive: true });
  for (const [name, feature] of Object.entries(features)) {
    const target = join(buildDir, `limits-${name}.wasm`);
    if (isNewer(target, source) && isNewer(target, self)) continue;
    const { emxx, env } = requireToolchain();
    const options = { env: { ...process.env, ...env }, stdio: 'inherit' };
    execFileSync(emxx, [...flags, ...feature, source, '-o', target], options);
  }
}

function isNewer(target, origin) {
  return existsSync(target) && statSync(target).mtimeMs > statSync(origin).mtimeMs;
}
