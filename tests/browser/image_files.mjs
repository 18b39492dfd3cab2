// Image files made for tests: PNG by its format's definition, JPEG by the browser's own encoder.

import { crc32, deflateSync } from 'node:zlib';

/** Red, green, blue bytes of a picture that is smooth here and textured there, as a photo is; the same for the same seed. */
export function photo(width, height, seed = 1) {
  let state = seed;
  const noise = () => (state = (state * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
  const bytes = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = [x / width, y / height];
      const texture = v > 0.6 ? 60 * noise() : 6 * noise();
      bytes[3 * (y * width + x)] = Math.min(255, 40 + 150 * u + texture);
      bytes[3 * (y * width + x) + 1] = Math.min(255, 60 + 120 * v + 40 * Math.sin(9 * u * v) + texture / 2);
      bytes[3 * (y * width + x) + 2] = Math.max(0, 190 - 140 * v - texture);
    }
  return bytes;
}

const uint32 = (x) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(x);
  return bytes;
};
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body) >>> 0)]);
}

export function png(width, height, rgb) {
  const lines = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.from([0]), Buffer.from(rgb.subarray(3 * y * width, 3 * (y + 1) * width))]),
  );
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 2, 0, 0, 0])])),
    chunk('IDAT', deflateSync(Buffer.concat(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A JPEG of a gradient with shapes, encoded by the browser; turned by EXIF's orientation where one is given. */
export async function jpeg(page, width, height, orientation = 0) {
  const base64 = await page.evaluate(
    async (w, h) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h });
      const context = canvas.getContext('2d');
      const gradient = context.createLinearGradient(0, 0, w, h);
      [
        ['#7ab0e8', 0],
        ['#d8b070', 0.5],
        ['#2d5a27', 1],
      ].forEach(([color, at]) => gradient.addColorStop(at, color));
      context.fillStyle = gradient;
      context.fillRect(0, 0, w, h);
      context.fillStyle = '#b02020';
      context.fillRect(0, 0, w / 4, h / 4);
      const blob = await new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.9));
      const bytes = new Uint8Array(await blob.arrayBuffer());
      let text = '';
      for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
      return btoa(text);
    },
    width,
    height,
  );
  const bytes = Buffer.from(base64, 'base64');
  if (orientation === 0) return bytes;
  // One entry of the first directory: tag 0x0112, a short.
  const tiff = Buffer.from([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]);
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const length = Buffer.from([0xff, 0xe1, (exif.length + 2) >> 8, (exif.length + 2) & 255]);
  return Buffer.concat([bytes.subarray(0, 2), length, exif, bytes.subarray(2)]);
}
