/** The size that an image file says it has, before anything is decoded: [width, height], or null where the kind is another. */
export function dimensionsOf(bytes: Uint8Array): readonly [number, number] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts = (...signature: number[]): boolean => signature.every((byte, n) => bytes[n] === byte);
  if (starts(0x89, 0x50, 0x4e, 0x47) && bytes.length >= 24) return [view.getUint32(16), view.getUint32(20)];
  if (starts(0x47, 0x49, 0x46, 0x38) && bytes.length >= 10) return [view.getUint16(6, true), view.getUint16(8, true)];
  if (starts(0xff, 0xd8)) return ofJpeg(view);
  return null;
}

/** Segments up to the one that begins a frame; others are skipped by their length. */
function ofJpeg(view: DataView): readonly [number, number] | null {
  let at = 2;
  while (at + 9 <= view.byteLength) {
    const marker = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff) return null;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}
