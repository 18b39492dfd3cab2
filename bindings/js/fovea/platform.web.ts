/** Web pages, workers, and every engine that is not Node. */
import type { Platform } from './load.ts';
import { processors, webModules } from './modules.web.ts';

export const webPlatform: Platform = {
  ...webModules,
  threads: { importFiles: () => import('../runtime/threads.web.ts'), processors },
};
