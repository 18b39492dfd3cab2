// Building with CMake: what the wasm build and the C++ tests share.

import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireToolchain } from './toolchain.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Configures a preset of CMakePresets.json and builds `targets` of it. Returns its build folder. */
export function buildPreset(preset, targets, settings = []) {
  const toolchain = requireToolchain();
  const environment = { ...process.env, ...toolchain.env };
  const run = (...args) =>
    execFileSync('cmake', args, { cwd: root, env: environment, stdio: ['ignore', 'inherit', 'inherit'] });
  if (preset.startsWith('wasm')) {
    settings = [
      ...settings,
      `-DCMAKE_TOOLCHAIN_FILE=${toolchain.emcmakeToolchainFile}`,
      `-DCMAKE_CROSSCOMPILING_EMULATOR=${toolchain.env.EM_NODE_JS}`,
    ];
  }
  run('--preset', preset, '--log-level=WARNING', `-DFOVEA_XSIMD_INCLUDE=${toolchain.xsimdInclude}`, ...settings);
  run('--build', `build/${preset}`, '--target', ...targets);
  return join(root, 'build', preset);
}
