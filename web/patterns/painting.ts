import { base64UrlOf, bytesOfUrl } from '../shell/base64.ts';

/** A pattern painted by hand: for each query (row) and key (column), whether the pair is kept. */
export interface Painting {
  readonly size: number;
  /** size × size, row-major, 1 = kept. */
  readonly bits: Uint8Array;
}

/**
 * The painting for so many tokens. Of a larger one the first rows and columns; in a smaller one, pairs that nobody has painted
 * yet are kept.
 */
export function bitsOf(painting: Painting, tokens: number): Uint8Array {
  return Uint8Array.from({ length: tokens * tokens }, (_, n) => bitAt(painting, Math.floor(n / tokens), n % tokens));
}

/** With these pairs of the first `tokens` kept or left out. What was painted for a longer text stays. */
export function paint(
  painting: Painting,
  tokens: number,
  pairs: readonly { row: number; col: number }[],
  kept: boolean,
): Painting {
  const size = Math.max(painting.size, tokens);
  const bits = bitsOf(painting, size);
  for (const { row, col } of pairs) bits[row * size + col] = Number(kept);
  return { size, bits };
}

/** The size and the bits in base64url, most significant first: 9 tokens take 16 characters. */
export function writePainting({ size, bits }: Painting): string {
  const bytes = Uint8Array.from({ length: Math.ceil(bits.length / 8) }, (_, b) =>
    [0, 1, 2, 3, 4, 5, 6, 7].reduce((byte, i) => 2 * byte + (bits[8 * b + i] ?? 0), 0),
  );
  return `${size}.${base64UrlOf(bytes)}`;
}

/** Null for what `writePainting` has not written, and for more than `most` tokens. */
export function readPainting(text: string, most: number): Painting | null {
  const [, digits = '', base64 = ''] = /^(\d{1,4})\.([\w-]*)$/.exec(text) ?? [];
  const size = Number(digits);
  const length = Math.ceil((size * size) / 8);
  if (size < 1 || size > most || base64.length !== Math.ceil((8 * length) / 6)) return null;
  const bytes = bytesOfUrl(base64);
  if (!bytes) return null;
  const bits = Uint8Array.from({ length: size * size }, (_, n) => (bytes[n >> 3]! >> (7 - (n % 8))) & 1);
  return { size, bits };
}

function bitAt({ size, bits }: Painting, row: number, col: number): number {
  return row < size && col < size ? (bits[row * size + col] ?? 1) : 1;
}
