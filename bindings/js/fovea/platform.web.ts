/** Web pages, workers, and every engine that is not Node. */
import type { Platform } from './load.ts';
import { webModules } from './modules.web.ts';

export const webPlatform: Platform = {
  ...webModules,
  importThreads: () => import('../runtime/threads.web.ts'),
};
