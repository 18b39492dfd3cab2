/** A module of a user's own whose worker serves models, with a cache in memory, as Node has none. */
import { modelFunctions } from 'fovea/models';
import { serve } from 'fovea/serve';
import { MemoryCaches } from './memory_caches.ts';

Object.defineProperty(globalThis, 'caches', { value: new MemoryCaches() });
serve({ functions: modelFunctions });
