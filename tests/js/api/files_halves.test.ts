/** F16 and BF16 of fovea/files: every one of their patterns, and every place where rounding to them changes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readSafetensors, writeSafetensors } from 'fovea/files';

type Half = 'F16' | 'BF16';

/** The value of a bit pattern, by the formula of the format: (-1)^s · 2^(e - bias) · (1 + f), subnormal below. */
function meaning(bits: number, dtype: Half): number {
  const fractionBits = dtype === 'F16' ? 10 : 7;
  const bias = dtype === 'F16' ? 15 : 127;
  const top = dtype === 'F16' ? 31 : 255;
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits & 0x7fff) >> fractionBits;
  const fraction = (bits & (2 ** fractionBits - 1)) / 2 ** fractionBits;
  if (exponent === top) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** (1 - bias);
  return sign * (1 + fraction) * 2 ** (exponent - bias);
}

const all = Uint16Array.from({ length: 65536 }, (_, bits) => bits);
const asBits = (dtype: Half) => writeSafetensors({ x: { data: all, shape: [65536], dtype } });

async function decoded(dtype: Half): Promise<Float32Array> {
  const { data } = (await readSafetensors(asBits(dtype))).tensors.get('x')!;
  assert.ok(data instanceof Float32Array);
  return data;
}

/** The bits that a file has of `numbers`. */
function encoded(numbers: Float32Array | Float64Array | number[], dtype: Half): Uint16Array {
  const file = writeSafetensors({ x: { data: numbers, shape: [numbers.length] } }, { dtype });
  return new Uint16Array(file.buffer.slice(file.length - 2 * numbers.length));
}

/** Rounds a number by searching the two patterns around it: the nearer, of two alike the even one. */
function nearest(x: number, dtype: Half): number {
  const most = dtype === 'F16' ? 0x7bff : 0x7f7f;
  const size = Math.abs(x);
  let [low, high] = [0, most + 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (meaning(middle, dtype) <= size) low = middle;
    else high = middle;
  }
  // The step above the largest, as if the next pattern were a number.
  const ulp = meaning(most, dtype) - meaning(most - 1, dtype);
  const above = high > most ? meaning(most, dtype) + ulp : meaning(high, dtype);
  const [down, up] = [size - meaning(low, dtype), above - size];
  const chosen = size === Infinity ? most + 1 : down < up || (down === up && low % 2 === 0) ? low : high;
  return chosen | (Object.is(Math.sign(x), -1) || Object.is(x, -0) ? 0x8000 : 0);
}

for (const dtype of ['F16', 'BF16'] as const) {
  describe(dtype, () => {
    test('all 65,536 patterns decode to what the format says', async () => {
      const numbers = await decoded(dtype);
      for (const bits of all) assert.ok(Object.is(numbers[bits], meaning(bits, dtype)), `0x${bits.toString(16)}`);
    });

    test('and are encoded again to the same bits, of NaNs too', async () => {
      const { tensors } = await readSafetensors(asBits(dtype));
      assert.deepEqual(writeSafetensors(tensors), asBits(dtype));
    });

    test('stored, they are the bits', async () => {
      const { data } = (await readSafetensors(asBits(dtype), { as: 'stored' })).tensors.get('x')!;
      const isFloat16 = dtype === 'F16' && 'Float16Array' in globalThis;
      assert.equal(data.constructor.name, isFloat16 ? 'Float16Array' : 'Uint16Array');
      assert.deepEqual(new Uint16Array(data.buffer), all);
    });

    test('numbers at, just below and just above every halfway point are rounded to nearest, ties to even', () => {
      const most = dtype === 'F16' ? 0x7bff : 0x7f7f;
      const words = new Uint32Array(1);
      const float = new Float32Array(words.buffer);
      const floats: number[] = [];
      for (let bits = 0; bits <= most; bits++) {
        const ulp =
          bits === most ? meaning(bits, dtype) - meaning(bits - 1, dtype) : meaning(bits + 1, dtype) - meaning(bits, dtype);
        float[0] = meaning(bits, dtype) + ulp / 2;
        const halfway = words[0]!;
        for (const near of [halfway - 1, halfway, halfway + 1]) {
          words[0] = near;
          floats.push(float[0], -float[0]);
        }
      }
      const got = encoded(Float32Array.from(floats), dtype);
      floats.forEach((x, i) => assert.equal(got[i], nearest(x, dtype), `${x}`));
    });

    test('float64 is rounded once: what float32 would round to a halfway point keeps its side', () => {
      const doubles: number[] = [];
      for (let bits = 0; bits < 0x7b00; bits += 37) {
        const halfway = (meaning(bits, dtype) + meaning(bits + 1, dtype)) / 2;
        for (const factor of [1 - 2 ** -40, 1, 1 + 2 ** -40]) doubles.push(halfway * factor, -halfway * factor);
      }
      doubles.push(1e300, -1e300, 5e-324, -5e-324, Infinity, -Infinity, 0, -0, 65519.99999999999, 65520, 3.4028235677973366e38);
      for (const given of [doubles, Float64Array.from(doubles)]) {
        const got = encoded(given, dtype);
        doubles.forEach((x, i) => assert.equal(got[i], nearest(x, dtype), `${x}`));
      }
      // Rounded by way of float32 some of them come out otherwise, or this test could not fail.
      const twice = encoded(Float32Array.from(doubles), dtype);
      assert.ok(doubles.some((x, i) => twice[i] !== nearest(x, dtype)));
    });

    test('NaN stays NaN, whatever its payload', () => {
      const words = Uint32Array.of(0x7f800001, 0xff800001, 0x7fc00000, 0xffffffff, 0x7f801fff);
      const got = encoded(new Float32Array(words.buffer), dtype);
      got.forEach((bits, i) => {
        assert.ok(Number.isNaN(meaning(bits, dtype)), `${i}`);
        assert.equal(bits >>> 15, words[i]! >>> 31);
      });
      assert.ok(Number.isNaN(meaning(encoded([NaN], dtype)[0]!, dtype)));
    });
  });
}
