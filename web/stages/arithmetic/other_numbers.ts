/**
 * A second run of the same mechanism on other numbers. Readable inputs are full of zeros, ones and equal arrays, where a wrong
 * reading of a formula can give the right numbers; it does not on numbers that have nothing in common.
 */
import type { Run } from './derive.ts';

type Values = Readonly<Record<string, unknown>>;
type Compute = (inputs: Values, params: Values) => Run['trace'];

/** Null where the mechanism takes no other numbers. */
export function withOtherNumbers({ inputs, params, options }: Run, compute: Compute): Run | null {
  const parts: [Record<string, unknown>, Record<string, unknown>] = [changed(inputs), changed(params)];
  const attempt = (): Run['trace'] | null => {
    try {
      return compute(...parts);
    } catch {
      return null;
    }
  };
  let trace = attempt();
  if (!trace) {
    // Ids and lengths must stay as they are: one argument after the other is changed, and kept where that is refused.
    const given = [inputs, params];
    const wanted = parts.map((part) => ({ ...part }));
    parts.forEach((part, p) => Object.assign(part, given[p]));
    parts.forEach((part, p) => {
      for (const name of Object.keys(part)) {
        part[name] = wanted[p]?.[name];
        const found = attempt();
        if (found) trace = found;
        else part[name] = given[p]?.[name];
      }
    });
  }
  return trace && { trace, inputs: parts[0], params: parts[1], options };
}

const changed = (values: Values): Record<string, unknown> => {
  let state = 12345;
  const next = (): number => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31 - 0.5;
  };
  const change = (value: unknown): unknown => {
    if (typeof value === 'number') return value + next();
    if (Array.isArray(value)) return value.map(change);
    if (value instanceof Float32Array || value instanceof Float64Array) return value.map((x) => x + next());
    if (ArrayBuffer.isView(value) || typeof value !== 'object' || value === null) return value;
    if ('data' in value && 'shape' in value) return { ...value, data: change(value.data) };
    return Object.getPrototypeOf(value) === Object.prototype
      ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, change(part)]))
      : value;
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
};
