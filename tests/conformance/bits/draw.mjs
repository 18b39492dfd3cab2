/** Seeded arguments. Only exact arithmetic is used, so that every engine draws the same numbers. */

const SPECIAL = [NaN, Infinity, -Infinity, -0, 1e-40, 3e38, -3e38];

export class Draw {
  #state;

  /** @param fovea the instance that Tensors are made with. */
  constructor(seed, fovea) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
    this.fovea = fovea;
  }

  /** Differs between two calls whose arguments were drawn otherwise. */
  get state() {
    return this.#state;
  }

  /** Uniform in [0, 1): mulberry32. */
  uniform() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(p) {
    return this.uniform() < p;
  }

  /** An integer from lo to hi, both included. */
  integer(lo, hi) {
    return lo + Math.floor(this.uniform() * (hi - lo + 1));
  }

  pick(...list) {
    return list[this.integer(0, list.length - 1)];
  }

  /** About normal: the sum of four uniform numbers, variance 1. */
  normal() {
    return (this.uniform() + this.uniform() + this.uniform() + this.uniform() - 2) * 1.7320508;
  }

  list(length, next) {
    return Array.from({ length }, next);
  }

  /** { data, shape } of normal numbers. */
  floats(shape, scale = 1) {
    return { data: Float32Array.from({ length: sizeOf(shape) }, () => scale * this.normal()), shape: [...shape] };
  }

  uniforms(shape, lo, hi) {
    return { data: Float32Array.from({ length: sizeOf(shape) }, () => lo + (hi - lo) * this.uniform()), shape: [...shape] };
  }

  /** 1 with probability `keep`, else 0. */
  booleans(shape, keep) {
    return { data: Uint8Array.from({ length: sizeOf(shape) }, () => Number(this.chance(keep))), shape: [...shape] };
  }

  /** Normal numbers in one of the forms that an array argument takes; a few hold numbers that are not finite. */
  array(shape, scale = 1) {
    const array = this.floats(shape, scale);
    if (array.data.length > 0 && this.chance(0.03))
      for (let n = this.integer(1, 3); n > 0; n--) array.data[this.integer(0, array.data.length - 1)] = this.pick(...SPECIAL);
    return this.form(array);
  }

  /** `array` in one of the forms that an array argument takes. */
  form(array) {
    const { data, shape } = array;
    switch (this.pick('plain', 'plain', 'plain', 'plain', 'nested', 'list', 'double', 'tensor', 'tensor', 'view')) {
      case 'nested':
        return shape.includes(0) ? array : nested(data, shape);
      case 'list':
        return { data: Array.from(data), shape };
      case 'double':
        return { data: Float64Array.from(data), shape };
      case 'tensor':
        return this.fovea.tensor(array);
      case 'view':
        return this.#view(array);
      default:
        return array;
    }
  }

  /** A slice of a longer Tensor: rows that lie apart. */
  #view({ data, shape }) {
    const axis = this.integer(0, shape.length - 1);
    const inner = sizeOf(shape.slice(axis));
    const before = this.integer(0, 2);
    const longer = inner === 0 ? 0 : (inner / shape[axis]) * (shape[axis] + before + 1);
    const whole = new Float32Array((inner === 0 ? 0 : data.length / inner) * longer).fill(7);
    const skipped = inner === 0 ? 0 : (inner / shape[axis]) * before;
    for (let from = 0, to = skipped; from < data.length; from += inner, to += longer)
      whole.set(data.subarray(from, from + inner), to);
    if (inner === 0) return this.fovea.tensor({ data, shape });
    const lengths = shape.map((length, n) => (n === axis ? length + before + 1 : length));
    return this.fovea.tensor({ data: whole, shape: lengths }).slice(axis, before, before + shape[axis]);
  }
}

export function sizeOf(shape) {
  return shape.reduce((product, n) => product * n, 1);
}

/** Row-major numbers as arrays in arrays. */
export function nested(data, shape) {
  if (shape.length === 1) return Array.from(data);
  const inner = data.length / shape[0];
  return Array.from({ length: shape[0] }, (_, n) => nested(data.subarray(n * inner, (n + 1) * inner), shape.slice(1)));
}
