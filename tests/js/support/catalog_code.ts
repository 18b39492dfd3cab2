/** The code of the catalog's entries, run as it stands. */
import type { Fovea } from 'fovea';
import * as cache from 'fovea/cache';
import type { Arguments, CatalogEntry } from 'fovea/catalog';
import * as linearAttention from 'fovea/linear-attention';
import * as mechanisms from 'fovea/mechanisms';
import * as nn from 'fovea/nn';
import * as ops from 'fovea/ops';
import * as pattern from 'fovea/pattern';
import * as position from 'fovea/position';
import * as score from 'fovea/score';

/** All that code may name: the entries' functions, but where inputs, params or options have those names. */
const functions = { ...cache, ...linearAttention, ...mechanisms, ...nn, ...ops, ...pattern, ...position, ...score };

/** The arguments of an entry's code. */
export type CodeArguments = Readonly<Record<'inputs' | 'params' | 'options', Arguments>>;

export function evaluate(
  fovea: Fovea,
  { code }: Pick<CatalogEntry, 'code'>,
  { inputs, params, options }: CodeArguments,
): Record<string, unknown> {
  const scope = { ...functions, fovea, inputs, params, options, ...inputs, ...params, ...options };
  return new Function(...Object.keys(scope), `return (${code});`)(...Object.values(scope)) as Record<string, unknown>;
}
