/** The arrays of a run: its arguments, however they are nested, and its stages. */
import type { TraceStage } from 'fovea';
import type { Source } from './expr.ts';

type Kind = 'inputs' | 'params' | 'options';

/** The arrays and numbers of a run's arguments, by their names with dots. */
export function argumentSources(kind: Kind, values: Readonly<Record<string, unknown>>, before = ''): Source[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const name = before + key;
    const array = arrayOf(value);
    if (array) return [{ kind, name, ...array }];
    if (Array.isArray(value)) return argumentSources(kind, Object.fromEntries(value.entries()), `${name}.`);
    return isRecord(value) ? argumentSources(kind, value, `${name}.`) : [];
  });
}

export const stageSource = ({ name, shape, data }: TraceStage): Source => ({ kind: 'stage', name, shape, data });

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);

function arrayOf(value: unknown): { shape: readonly number[]; data: ArrayLike<number> } | null {
  if (typeof value === 'number') return { shape: [], data: [value] };
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    const data = value as unknown as ArrayLike<number>;
    return { shape: [data.length], data };
  }
  if (Array.isArray(value)) return nested(value);
  if (!isRecord(value) || !('data' in value)) return null;
  const { data, shape, dims } = value as { data: ArrayLike<number>; shape?: readonly number[]; dims?: readonly number[] };
  const sizes = shape ?? dims;
  return sizes ? { shape: sizes, data } : null;
}

function nested(value: readonly unknown[]): { shape: readonly number[]; data: number[] } | null {
  const shape: number[] = [];
  let first: unknown = value;
  while (Array.isArray(first) || ArrayBuffer.isView(first)) {
    const list = Array.from(first as unknown as ArrayLike<unknown>);
    shape.push(list.length);
    first = list[0];
  }
  const data = flat(value);
  const whole = data.length === shape.reduce((size, n) => size * n, 1);
  return whole && data.every((item) => typeof item === 'number') ? { shape, data: data as number[] } : null;
}

const flat = (value: unknown): unknown[] =>
  Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as ArrayLike<unknown>).flatMap(flat) : [value];
