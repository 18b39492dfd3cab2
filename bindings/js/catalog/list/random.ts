/** Random params of a mechanism, for contrast. */
import { isPlainObject } from '../../errors/options.ts';
import type { Fovea } from '../../fovea/fovea.ts';
import { randomParams, type RandomParamsOptions } from '../../mechanisms/index.ts';
import { instanceOf } from '../../runtime/instances.ts';
import { readPlain } from '../../tensor/arrays.ts';
import type { Arguments } from '../entry/entry.ts';
import { entryOf } from './lookup.ts';

/**
 * Params under the names and of the shapes of a mechanism's defaults, drawn as `randomParams` of fovea/mechanisms draws them: what
 * the mechanism does before anybody has trained it.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param id an entry's of `list()`.
 * @param options `seed`, 0 to 2^53 - 1; default 0.
 * @returns for `run`; without names where the mechanism has no params.
 * @throws AttentionError `option` for an id that is not in the catalog; `value` | `disposed` | `memory` | `internal`.
 * @example
 * import { random, run } from 'fovea/catalog';
 * run(fovea, 'bahdanau', undefined, random(fovea, 'bahdanau', { seed: 1 }));
 */
export function random(fovea: Fovea, id: string, options?: RandomParamsOptions): Arguments {
  instanceOf('random', fovea);
  return drawn(fovea, entryOf('random', id).defaults.params, '', options);
}

function drawn(fovea: Fovea, params: Arguments, prefix: string, options: RandomParamsOptions | undefined): Arguments {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const path = prefix + name;
      if (isPlainObject(value) && !('data' in value)) return [name, drawn(fovea, value, `${path}.`, options)];
      const { shape } = typeof value === 'number' ? { shape: [] } : readPlain('random', path, value);
      return [name, randomParams(fovea, { [path]: shape }, options)[path]];
    }),
  );
}
