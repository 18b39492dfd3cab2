/** Hashes of a call's results, and the words that describe the call. */
import { createHash } from 'node:crypto';
import { isPlainObject } from './names.mjs';

/** { name: hash } of everything that a call returned: arrays, lists, numbers and texts, named by where they are. */
export function hashes(value, name = '', into = {}) {
  const inner = (key) => (name === '' ? String(key) : `${name}.${key}`);
  if (value === undefined || typeof value === 'function') return into;
  if (typeof value === 'object' && value !== null && 'toArray' in value) return hashes(value.toArray(), name, into);
  if (ArrayBuffer.isView(value)) into[name] = hash([value]);
  else if (isArray(value)) into[name] = hash([Int32Array.from(value.shape), value.data]);
  else if (isStage(value)) hashes({ data: value.data, shape: value.shape }, inner(value.name), into);
  else if (value instanceof Map) for (const [key, one] of value) hashes(one, inner(key), into);
  else if (Array.isArray(value) && value.some((one) => typeof one === 'object'))
    value.forEach((one, n) => hashes(one, isStage(one) ? name : inner(n), into));
  else if (isPlainObject(value)) for (const [key, one] of Object.entries(value)) hashes(one, inner(key), into);
  else into[name] = hash([JSON.stringify(typeof value === 'number' ? String(value) : value)]);
  return into;
}

function isArray(value) {
  return isPlainObject(value) && ArrayBuffer.isView(value.data) && Array.isArray(value.shape) && !('name' in value);
}

function isStage(value) {
  return isPlainObject(value) && typeof value.name === 'string' && ArrayBuffer.isView(value.data);
}

/** 64 bits of SHA-256. */
function hash(parts) {
  const sum = createHash('sha256');
  for (const part of parts) {
    if (typeof part === 'string') sum.update(part);
    else {
      const values = canonical(part);
      sum.update(`${part.constructor.name} ${part.length} `);
      sum.update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    }
  }
  return sum.digest('hex').slice(0, 16);
}

/** A copy in which every NaN has the same bits. */
function canonical(data) {
  const copy = data.slice();
  if (copy instanceof Float32Array || copy instanceof Float64Array)
    for (let n = 0; n < copy.length; n++) if (Number.isNaN(copy[n])) copy[n] = NaN;
  return copy;
}

/** Names for arguments that do not tell themselves what they are: scores, patterns, caches. */
const labels = new WeakMap();

/** Remembers what `object` is, as { text, tags }, and returns it. */
export function label(object, text, tags = [text]) {
  labels.set(object, { text, tags });
  return object;
}

export function tagsOf(object) {
  return labels.get(object)?.tags ?? [];
}

/** An argument in a few words: its shape and form, or its options. */
export function describe(value) {
  if (typeof value === 'number') return String(Number(value.toPrecision(4)));
  if (typeof value === 'string') return `'${value}'`;
  if (value === null || typeof value !== 'object') return typeof value === 'function' ? 'f' : String(value);
  if (labels.has(value)) return labels.get(value).text;
  if ('toArray' in value) return `Tensor[${value.shape}]`;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}(${value.length})`;
  if (Array.isArray(value)) return describeList(value);
  if (value instanceof Map) return `Map(${value.size})`;
  if ('data' in value && 'shape' in value) return `${kindOf(value.data)}[${value.shape}]`;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${entries.map(([name, one]) => `${name}: ${describe(one)}`).join(', ')}}`;
}

function describeList(list) {
  if (list.some((one) => isPlainObject(one) || labels.has(one))) return `[${list.map(describe).join(', ')}]`;
  if (!Array.isArray(list[0])) return list.length <= 4 ? `[${list.map(describe).join(', ')}]` : `list(${list.length})`;
  const shape = [];
  for (let level = list; Array.isArray(level); level = level[0]) shape.push(level.length);
  return `nested[${shape}]`;
}

function kindOf(data) {
  return Array.isArray(data) ? 'list' : data.constructor.name.replace('Array', '');
}

const NAMED = ['bias', 'normalize', 'gaussian', 'relative', 't5', 'initialState', 'out', 'linear', 'linformer'];

/** The options that arguments use: 'causal', 'layout=btd', 'bias.alibi', … */
export function optionsOf(args) {
  const used = new Set();
  const visit = (options, prefix) => {
    for (const [name, value] of Object.entries(options)) {
      if (value === undefined) continue;
      const text = prefix + name;
      used.add(typeof value === 'string' || typeof value === 'boolean' ? `${text}=${value}` : text);
      for (const tag of typeof value === 'object' && value !== null ? tagsOf(value) : []) used.add(`${text}=${tag}`);
      for (const one of Array.isArray(value) ? value : [value])
        if (NAMED.includes(name) && isPlainObject(one) && !('data' in one)) visit(one, `${text}.`);
    }
  };
  for (const arg of args) if (isPlainObject(arg) && !('data' in arg)) visit(arg, '');
  if (args.some((arg) => typeof arg === 'object' && arg !== null && 'toArray' in arg)) used.add('(Tensors)');
  return [...used];
}
