/** Web pages, workers, and every engine that is not Node. */
import type { Platform } from '../fovea/load.ts';
import { trainModules } from './modules.web.ts';

export const trainPlatform: Platform = {
  ...trainModules,
  importThreads: () => import('../runtime/threads.web.ts'),
};
