// A visitor's own image or sound in a saved file: what is written is read back to the same numbers, and what anybody may have written is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readImageKept, readSoundKept, writeImage, writeSound } from '../../../web/inputs/kept.ts';

const throughJson = (value: unknown): never => JSON.parse(JSON.stringify(value)) as never;

test('an image of 8 bits comes back as it was', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), fc.nat(), (width, height, seed) => {
      const data = Float32Array.from({ length: 3 * width * height }, (_, n) => ((seed + 37 * n) % 256) / 255);
      assert.deepEqual(readImageKept(throughJson(writeImage({ width, height, data }))), { width, height, data });
    }),
  );
});

test('an image that was made smaller keeps the size that it had', () => {
  const image = { width: 1, height: 1, data: Float32Array.of(0, 1, 0), original: { width: 1600, height: 1200 } };
  assert.deepEqual(readImageKept(throughJson(writeImage(image))), image);
  for (const original of [null, 7, { width: -1, height: 2 }, { width: 1 }])
    assert.equal(readImageKept({ ...(writeImage(image) as object), original } as never)?.original, undefined);
});

test('a sound comes back bit by bit', () => {
  fc.assert(
    fc.property(fc.float32Array({ minLength: 1, maxLength: 50, noNaN: true, noDefaultInfinity: true }), (samples) => {
      const read = readSoundKept(throughJson(writeSound({ samples, seconds: 0.5 })));
      assert.deepEqual(read, { samples, seconds: 0.5 });
    }),
  );
});

test('none is none', () => {
  assert.equal(readImageKept(writeImage(null)), null);
  assert.equal(readSoundKept(writeSound(null)), null);
});

test('anything else is refused', () => {
  const image = { width: 2, height: 1, rgb: 'AAAAAAAA' };
  assert.notEqual(readImageKept(image), undefined);
  for (const wrong of [
    { width: 3 },
    { width: 0 },
    { width: -2, height: -1 },
    { width: 1e9, height: 1e9 },
    { width: 1.5 },
    { rgb: 'AAAAAAA' },
    { rgb: '********' },
    { rgb: 3 },
    { rgb: null },
  ])
    assert.equal(readImageKept({ ...image, ...wrong } as never), undefined, JSON.stringify(wrong));
  const sound = writeSound({ samples: Float32Array.of(0.25), seconds: 1 }) as { samples: string };
  for (const wrong of [
    { seconds: -1 },
    { seconds: 'x' },
    { samples: '' },
    { samples: 'AACAf' },
    { samples: btoa(String.fromCharCode(0, 0, 192, 127)) }, // NaN
    { samples: 'A'.repeat(4_000_000) },
  ])
    assert.equal(readSoundKept({ ...sound, seconds: 1, ...wrong } as never), undefined, JSON.stringify(wrong).slice(0, 60));
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      assert.ok([null, undefined].includes(readImageKept(json as never) as never));
      assert.ok([null, undefined].includes(readSoundKept(json as never) as never));
    }),
  );
});
