// `npm run test:cpp` and `npm run test:wasm`: the GoogleTest suite, natively under AddressSanitizer and UndefinedBehavior-
// Sanitizer, or in wasm under Node.
//   node scripts/test_cpp.mjs PRESET...

import { execFileSync } from 'node:child_process';
import { buildPreset } from './cmake.mjs';
import { findGoogleTest } from './toolchain.mjs';

const googleTest = findGoogleTest();
if (!googleTest) throw new Error('GoogleTest not found: run "npm run setup", or set GOOGLETEST_DIR');

for (const preset of process.argv.slice(2)) {
  const folder = buildPreset(
    preset,
    ['fovea_tests', 'fovea_symbols_canary'],
    ['-DFOVEA_BUILD_TESTS=ON', `-DFOVEA_GOOGLETEST_DIR=${googleTest}`],
  );
  execFileSync('ctest', ['--test-dir', folder, '--output-on-failure', '--no-tests=error'], { stdio: 'inherit' });
}
