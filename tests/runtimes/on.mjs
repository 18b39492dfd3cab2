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

const [variants, ...args] = process.argv.slice(2);
const runs = variants.split(',').map((variant) => ({
  variant,
  node: variant.startsWith('relaxed') ? requireNode24() : process.execPath,
}));
await mapLimited(runs, availableParallelism(), async ({ variant, node }) => {
  const env = {
    ...process.env,
    FOVEA_VARIANT: variant,
    FOVEA_THREADS: variant.endsWith('-threads') ? '2' : '1',
    // Relaxed SIMD and threads are each drawn in full alone.
    ...(variant === 'relaxed-threads' && { FOVEA_RUNS: String(Number(process.env.FOVEA_RUNS ?? 1) / 4) }),
  };
  const { status, output } = await runCollected(node, args, { env });
  process.stdout.write(`\n--- ${variant}\n${output}`);
  if (status !== 0) process.exitCode = status;
});
