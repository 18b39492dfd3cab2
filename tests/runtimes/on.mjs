/**
 * node tests/runtimes/on.mjs VARIANT,... ARGUMENTS
 * Runs `node ARGUMENTS` with the tests' instance pinned to each build; builds with threads get two. Builds run side by side,
 * one for each core, and each one's output is printed when it ends. The relaxed builds run under Node 24, which is installed here on first use: Node 20 has relaxed SIMD only behind a flag, and at the root the package's
 * `node` would stand before the system's in npm scripts.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mapLimited, runCollected } from '../../scripts/processes.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const windows = process.platform === 'win32';
const node24 = join(here, 'node_modules/node/bin', windows ? 'node.exe' : 'node');

function requireNode24() {
  if (!existsSync(node24)) {
    console.log('Node 24 for the relaxed build: npm ci --prefix tests/runtimes');
    spawnSync('npm', ['ci', '--prefix', here, '--no-audit', '--no-fund'], { stdio: 'inherit', shell: windows });
  }
  if (!existsSync(node24)) {
    console.error('Node 24 could not be installed: run `npm ci --prefix tests/runtimes` where the npm registry can be reached');
    process.exit(1);
  }
  return node24;
}

/**
 * How the tests of a build draw, unless FOVEA_SEED and FOVEA_RUNS say otherwise: calls of its own, and fewer than simd128 has in `npm run test:js`. Relaxed SIMD
 * rounds otherwise; threads split the work otherwise, and all else is the code of the same name without threads.
 */
const DRAWN = {
  relaxed: { seed: 20260102, share: 1 / 2 },
  'simd128-threads': { seed: 20260103, share: 1 / 4 },
  'relaxed-threads': { seed: 20260104, share: 1 / 4 },
};

const [variants, ...args] = process.argv.slice(2);
const runs = variants.split(',').map((variant) => ({
  variant,
  node: variant.startsWith('relaxed') ? requireNode24() : process.execPath,
}));
await mapLimited(runs, availableParallelism(), async ({ variant, node }) => {
  const { seed, share } = DRAWN[variant];
  const env = {
    FOVEA_SEED: String(seed),
    FOVEA_RUNS: String(share),
    ...process.env,
    FOVEA_VARIANT: variant,
    FOVEA_THREADS: variant.endsWith('-threads') ? '2' : '1',
  };
  const { status, output } = await runCollected(node, args, { env });
  process.stdout.write(`\n--- ${variant}\n${output}`);
  if (status !== 0) process.exitCode = status;
});
