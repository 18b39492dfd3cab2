/** Seeded test data. Not the library's generator: tests must not depend on what they test. */

export class TestRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Uniform in [0, 1): mulberry32. */
  uniform(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from lo to hi, both included. */
  integer(lo: number, hi: number): number {
    return lo + Math.floor(this.uniform() * (hi - lo + 1));
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }

  normals(shape: readonly number[], scale = 1): { data: Float32Array; shape: number[] } {
    return filled(shape, () => scale * this.normal());
  }

  integers(shape: readonly number[], lo: number, hi: number): { data: Float32Array; shape: number[] } {
    return filled(shape, () => this.integer(lo, hi));
  }

  /** 1 with probability `keep`, else 0. */
  booleans(shape: readonly number[], keep: number): { data: Uint8Array; shape: number[] } {
    return { data: Uint8Array.from({ length: sizeOf(shape) }, () => (this.uniform() < keep ? 1 : 0)), shape: [...shape] };
  }
}

export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, n) => product * n, 1);
}

function filled(shape: readonly number[], next: () => number): { data: Float32Array; shape: number[] } {
  const data = new Float32Array(sizeOf(shape));
  for (let n = 0; n < data.length; n++) data[n] = next();
  return { data, shape: [...shape] };
}
