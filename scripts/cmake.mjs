// Building with CMake: what the wasm build and the C++ tests share.

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateAbi } from './generate_abi.mjs';
import { runCollected } from './processes.mjs';
import { requireToolchain, which } from './toolchain.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Settings of a compiler cache. A precompiled header names the folder of its headers, so nothing compiled in one checkout may
 * be found from another: each has a namespace of its own.
 */
const ccacheEnvironment = {
  CCACHE_NAMESPACE: root,
  CCACHE_DEPEND: '1', // the compiler's own list of headers is enough: nothing is preprocessed twice
  CCACHE_SLOPPINESS: 'pch_defines,time_macros', // needed for precompiled headers
};

/**
 * Configures a preset of CMakePresets.json and builds `targets` of it. All output is printed at the end, so that presets can
 * be built side by side. Returns the preset's build folder.
 */
export async function buildPreset(preset, targets, settings = []) {
  generateAbi();
  const toolchain = requireToolchain();
  const wasm = preset.startsWith('wasm');
  const ccache = which('ccache');
  const environment = { ...process.env, ...toolchain.env, ...(ccache && ccacheEnvironment) };
  const run = async (...args) => {
    const { status, output } = await runCollected('cmake', args, { cwd: root, env: environment });
    process.stdout.write(output);
    if (status !== 0) throw new Error(`cmake ${args.slice(0, 2).join(' ')} failed`);
  };
  settings = [...settings, `-DCMAKE_CXX_COMPILER_LAUNCHER=${ccache ?? ''}`];
  if (wasm) {
    settings = [
      ...settings,
      `-DCMAKE_TOOLCHAIN_FILE=${toolchain.emcmakeToolchainFile}`,
      `-DCMAKE_CROSSCOMPILING_EMULATOR=${toolchain.env.EM_NODE_JS}`,
    ];
  }
  console.log(`building ${targets.join(' and ')} in build/${preset}`);
  await run('--preset', preset, '--log-level=WARNING', `-DFOVEA_XSIMD_INCLUDE=${toolchain.xsimdInclude}`, ...settings);
  await run('--build', `build/${preset}`, '--target', ...targets);
  return join(root, 'build', preset);
}
