/** The parameters of xformerCost, as integers of any size. */
import { describe, fail } from '../../errors/errors.ts';
import { checkChoice, checkInteger, isList, ownProperties } from '../../errors/options.ts';

/** Further rules of a count. */
export interface Rule {
  readonly byDefault?: number;
  readonly multipleOf?: number;
  readonly isOdd?: boolean;
  readonly divides?: bigint;
}

/** Reads the parameters of a kind. */
export interface Read {
  (name: string, from: number, rule?: Rule): bigint;
  /** The parameter `shape`: a height and a width whose product is n. */
  shape(n: bigint): [bigint, bigint];
  /** The parameter `form`. */
  form(): 'passes' | 'union';
}

/** An integer of at least `from`. */
export function readCount(fn: string, name: string, value: unknown, from: number): bigint {
  checkInteger(fn, name, value, from, Number.MAX_SAFE_INTEGER);
  return BigInt(value);
}

export function readerOf(fn: string, kind: string, parameters: Readonly<Record<string, unknown>>): Read {
  const read = (name: string, from: number, rule: Rule = {}): bigint => {
    const { byDefault, multipleOf = 1, isOdd = false, divides } = ownProperties(rule);
    const [what, value] = [`kinds.${kind}.${name}`, parameters[name] ?? byDefault];
    const count = readCount(fn, what, value, from);
    if (count % BigInt(multipleOf) !== 0n) fail('value', fn, `${what} must be even, got ${count}`);
    if (isOdd && count % 2n === 0n) fail('value', fn, `${what} must be odd, got ${count}`);
    if (divides !== undefined && divides % count !== 0n) fail('value', fn, `${what} must divide n = ${divides}, got ${count}`);
    return count;
  };
  const shape = (n: bigint): [bigint, bigint] => {
    const given = parameters['shape'];
    const what = `kinds.${kind}.shape`;
    if (!isList(given) || given.length !== 2)
      return fail('value', fn, `${what} must be [height, width], got ${describe(given)}`);
    const [height, width] = (given as unknown[]).map((side, axis) => readCount(fn, `${what}[${axis}]`, side, 0)) as [
      bigint,
      bigint,
    ];
    if (height * width !== n) fail('value', fn, `${what} must have n = ${n} positions, got ${height} × ${width}`);
    return [height, width];
  };
  const form = (): 'passes' | 'union' => {
    const given = parameters['form'] as 'passes' | 'union' | undefined;
    checkChoice(fn, `kinds.${kind}.form`, given, ['passes', 'union']);
    return given ?? 'passes';
  };
  return Object.assign(read, { shape, form });
}
