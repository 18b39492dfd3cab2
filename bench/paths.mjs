// Where things are.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const benchDir = fileURLToPath(new URL('.', import.meta.url));
export const rootDir = fileURLToPath(new URL('..', import.meta.url));
export const buildDir = join(rootDir, 'build/bench');
export const resultsFile = join(buildDir, 'results.json');
export const chartFile = join(benchDir, 'chart.svg');
