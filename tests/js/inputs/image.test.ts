/** A visitor's image becomes patches: sizes, areas, and vectors without brightness. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { centeredRows, gridPositions, joinedRows } from '../../../web/inputs/features.ts';
import { checkFileSize } from '../../../web/inputs/file_size.ts';
import { dimensionsOf } from '../../../web/inputs/image/dimensions.ts';
import { gridOf, MOST_PATCHES, pixelsOf, resized, rgbaOf } from '../../../web/inputs/image/pixels.ts';
import { shapeScene, tinyScene } from '../../../web/inputs/image/scenes.ts';
import { Refusal } from '../../../web/inputs/refusal.ts';

test('patches are at most 1024, at least one, and never enlarge an image', () => {
  for (const [width, height] of [
    [10, 5],
    [1, 1],
    [5472, 3648],
    [20000, 3],
    [3, 20000],
    [1024, 1024],
    [257, 193],
  ] as const)
    for (let patch = 1; patch <= 32; patch++) {
      const { rows, cols } = gridOf({ width, height }, patch);
      assert.ok(rows >= 1 && cols >= 1 && rows * cols <= MOST_PATCHES, `${width} × ${height} by ${patch}: ${rows} × ${cols}`);
      assert.ok(rows === 1 || rows * patch <= height, 'rows fit');
      assert.ok(cols === 1 || cols * patch <= width, 'columns fit');
    }
  assert.deepEqual(gridOf({ width: 10, height: 5 }, 1), { rows: 5, cols: 10 });
  assert.deepEqual(gridOf({ width: 5472, height: 3648 }, 16), { rows: 26, cols: 39 });
});

test('a smaller image holds the means of the areas that its pixels cover', () => {
  const image = { width: 4, height: 2, data: Float32Array.from({ length: 24 }, (_, n) => Math.floor(n / 3)) };
  assert.deepEqual([...resized(image, 2, 1).data], [2.5, 2.5, 2.5, 4.5, 4.5, 4.5]);
  // A square of 4 × 2 keeps the middle 2 × 2.
  assert.deepEqual([...resized(image, 1, 1).data], [3.5, 3.5, 3.5]);
  assert.deepEqual([...resized(image, 4, 2).data], [...image.data]);
  const thirds = { width: 3, height: 2, data: Float32Array.from([0, 3, 6, 0, 3, 6].flatMap((x) => [x, x, x])) };
  // Each new pixel is a whole old one and half of the next: (0 + 3 / 2) / 1.5 and (3 / 2 + 6) / 1.5 over the height that is left.
  const [left, , , right] = resized(thirds, 2, 1).data;
  assert.deepEqual(
    [left, right].map((x) => Math.round(x! * 1e4) / 1e4),
    [1, 5],
  );
  const flat = resized({ width: 7, height: 5, data: new Float32Array(105).fill(0.3) }, 3, 2).data;
  assert.ok(flat.every((x) => Math.abs(x - 0.3) < 1e-7));
});

test('what is transparent is white; pixels come back as they were', () => {
  const rgba = Uint8ClampedArray.from([255, 0, 51, 255, 0, 0, 0, 0]);
  const pixels = pixelsOf(2, 1, rgba);
  assert.deepEqual([...pixels.data], [1, 0, Math.fround(0.2), 1, 1, 1]);
  assert.deepEqual([...rgbaOf(pixels)], [255, 0, 51, 255, 255, 255, 255, 255]);
});

test('centered rows have length 1 whatever their brightness; equal numbers become 0', () => {
  const data = Float32Array.from([0.2, 0, 0, 0.8, 0, 0, 0.7, 0.7, 0.7, 1, 0.2, 0.6]);
  const { data: rows } = centeredRows({ data, width: 3 });
  const dot = (a: number, b: number): number => [0, 1, 2].reduce((sum, i) => sum + rows[3 * a + i]! * rows[3 * b + i]!, 0);
  assert.ok(Math.abs(dot(0, 1) - 1) < 1e-6, 'dark red is like red');
  assert.deepEqual([...rows.slice(6, 9)], [0, 0, 0]);
  assert.ok(Math.abs(dot(3, 3) - 1) < 1e-6);
  // Without centering the bright row wins: the raw product of dark red with the mixed color is larger than with itself.
  assert.ok(data[0]! * data[9]! > data[0]! * data[0]!);
});

test('positions are nearest to themselves, rows are joined side by side', () => {
  const { data, width } = gridPositions(3, 5);
  const dot = (a: number, b: number): number =>
    Array.from({ length: width }, (_, i) => data[a * width + i]! * data[b * width + i]!).reduce((x, y) => x + y, 0);
  for (let n = 0; n < 15; n++)
    for (let m = 0; m < 15; m++) assert.ok(n === m ? Math.abs(dot(n, n) - 1) < 1e-6 : dot(n, m) < 0.999);
  assert.deepEqual(gridPositions(1, 1).data.length, 4);
  const joined = joinedRows({ data: Float32Array.of(1, 2), width: 1 }, { data: Float32Array.of(3, 4, 5, 6), width: 2 }, 2, 10);
  assert.deepEqual([[...joined.data], joined.width], [[2, 30, 40, 4, 50, 60], 3]);
});

test('the size of an image is read before it is decoded, and nothing from other bytes', () => {
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0x10, 0, 0, 0, 0, 9]);
  assert.deepEqual(dimensionsOf(png), [4096, 9]);
  const jpeg = Uint8Array.from([0xff, 0xd8, 0xff, 0xe1, 0, 4, 1, 2, 0xff, 0xff, 0xc0, 0, 17, 8, 0, 5, 1, 0, 3, 0, 0, 0]);
  assert.deepEqual(dimensionsOf(jpeg), [256, 5]);
  assert.deepEqual(dimensionsOf(Uint8Array.from([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 7, 0, 8, 0])), [7, 8]);
  for (let length = 0; length < jpeg.length; length++) assert.doesNotThrow(() => dimensionsOf(jpeg.slice(0, length)));
  for (let length = 0; length < png.length; length++) assert.equal(dimensionsOf(png.slice(0, length)), null);
  assert.equal(dimensionsOf(new TextEncoder().encode('this is a text, not a picture')), null);
  // Segments of length 0 end.
  assert.equal(dimensionsOf(new Uint8Array(4096).fill(0xff).fill(0xd8, 1, 2)), null);
});

test('empty and huge files are refused by their size alone', () => {
  assert.throws(() => checkFileSize({ size: 0 }, 1), Refusal);
  assert.throws(() => checkFileSize({ size: 2 ** 20 + 1 }, 1), /at most 1 MB/);
  checkFileSize({ size: 2 ** 20 }, 1);
});

test('the scenes are images: 5 × 10 as in the textbook, and one with a red roof half in the shade', () => {
  const { width, height, data } = tinyScene();
  assert.deepEqual([width, height, data.length], [10, 5, 150]);
  const scene = shapeScene(64, 48);
  const at = (x: number, y: number): number[] => [...scene.data.slice(3 * (y * 64 + x), 3 * (y * 64 + x) + 3)];
  const [lit, shaded] = [at(41, 22), at(36, 22)];
  assert.ok(lit[0]! > 0.8 && shaded[0]! < 0.5 && shaded[0]! > 3 * shaded[1]!, `${lit} ${shaded}`);
  assert.ok(scene.data.every((x) => x >= 0 && x <= 1));
});
