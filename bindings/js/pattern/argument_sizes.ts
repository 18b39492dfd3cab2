/**
 * The pairs of a call that is sent to a worker, out of its arguments: functions are asked about them before it is sent. Nothing
 * is refused here but what cannot be asked about; the worker checks the arguments, and their sizes against the program's.
 */
import { readProperty } from '../errors/objects.ts';
import { isList, isObject, isPlainObject, ownProperties } from '../errors/options.ts';
import type { NamedArguments, PairSizes } from '../attention/options/pattern_source.ts';
import { MAX_RANK } from '../tensor/shapes.ts';
import type { AttentionOptions } from '../attention/types/options.ts';

export function sizesOfArguments(args: NamedArguments): PairSizes {
  const [first, second] = args.map(([, value]) => shapeOf(value)) as [number[], number[]];
  const given = args.at(-1)![1];
  const options = ownProperties<AttentionOptions>(isPlainObject(given) ? given : {});
  const names = args.map(([name]) => name);
  const isPlain = names.includes('q');
  const key = names.includes('X') ? first : second;
  const { layout = 'bhtd', heads, causalOffset, causalAlign, keyLengths } = options;
  const isPacked = !isPlain || heads !== undefined || layout === 'btd';
  const fromEnd = (shape: readonly number[], axis: number): number => shape[shape.length - axis] ?? 1;
  const tokens = (shape: readonly number[]): number => fromEnd(shape, layout === 'bthd' && shape.length > 2 ? 3 : 2);
  const [queries, keys] = [tokens(first), tokens(key)];
  const batch = Math.max(...args.slice(0, 3).map(([, value]) => fromEnd(shapeOf(value), isPacked ? 3 : 4)));
  const offset = (b: number): number => {
    if (causalAlign === 'bottom-right') return Number(keyLengths?.[b] ?? keys) - queries;
    return Number(typeof causalOffset === 'number' ? causalOffset : (causalOffset?.[b] ?? 0));
  };
  return {
    batch,
    heads: isPacked ? (heads ?? 1) : first.length < 3 ? 1 : fromEnd(first, layout === 'bthd' ? 2 : 3),
    queries,
    keys,
    offsets: Int32Array.from({ length: batch }, (_, b) => offset(b)),
  };
}

/** The shape of any array, a RemoteTensor among them; [] for any other value, and for levels that no array has. */
function shapeOf(value: unknown, deepest = MAX_RANK): readonly number[] {
  if (isList(value)) return deepest === 0 ? [] : [value.length, ...shapeOf(value[0], deepest - 1)];
  const shape = isObject(value) ? readProperty(value, 'shape') : undefined;
  return isList(shape) ? (shape as readonly number[]) : [];
}
