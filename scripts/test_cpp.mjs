// `npm run test:cpp` and `npm run test:wasm`: the GoogleTest suite, natively under AddressSanitizer and UndefinedBehavior-
// Sanitizer, or in wasm under Node. native-sanitized is compiled by clang 19 where that can link its sanitizers.
//   node scripts/test_cpp.mjs PRESET...

import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { buildPreset } from './cmake.mjs';
import { mapLimited } from './processes.mjs';
import { findGoogleTest, hasSanitizingClang } from './toolchain.mjs';

const googleTest = findGoogleTest();
if (!googleTest) throw new Error('GoogleTest not found: run "npm run setup", or set GOOGLETEST_DIR');

const quickest = (preset) => (preset === 'native-sanitized' && hasSanitizingClang() ? `${preset}-clang` : preset);
const presets = process.argv.slice(2).map(quickest);
const settings = ['-DFOVEA_BUILD_TESTS=ON', `-DFOVEA_GOOGLETEST_DIR=${googleTest}`];
const targets = ['fovea_tests', 'fovea_symbols_canary'];
// Two side by side: configuring and linking use one core each.
const folders = await mapLimited(presets, 2, (preset) => buildPreset(preset, targets, settings));
for (const folder of folders) {
  const options = ['--output-on-failure', '--no-tests=error', '--parallel', `${availableParallelism()}`];
  execFileSync('ctest', ['--test-dir', folder, ...options], { stdio: 'inherit' });
}
