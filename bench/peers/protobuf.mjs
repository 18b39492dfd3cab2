// Protocol buffers, as much as writing an ONNX model takes: a message is a list of fields, a field its number and its content.

const encoder = new TextEncoder();

/** A field of integers that fit 53 bits, not negative: int64, int32 or an enum. */
export const integer = (field, value) => [...tag(field, 0), ...varint(value)];

/** A field of text, bytes or a nested message: pieces of bytes, kept apart until the end, since some are large. */
export function bytes(field, content) {
  const pieces = typeof content === 'string' ? [encoder.encode(content)] : content instanceof Uint8Array ? [content] : content;
  return [Uint8Array.from([...tag(field, 2), ...varint(sizeOf(pieces))]), ...pieces];
}

/** A message of fields, as pieces. */
export function message(...fields) {
  return fields.flatMap((field) => (typeof field[0] === 'number' ? [Uint8Array.from(field)] : field));
}

/** A field of type float. */
export function float(field, value) {
  return [...tag(field, 5), ...new Uint8Array(Float32Array.of(value).buffer)]; // wasm and so all that runs this is little-endian
}

/** Pieces → bytes. */
export function join(pieces) {
  const whole = new Uint8Array(sizeOf(pieces));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

const sizeOf = (pieces) => pieces.reduce((sum, { length }) => sum + length, 0);
const tag = (field, wireType) => varint(field * 8 + wireType);

function varint(value) {
  const digits = [];
  for (; value >= 128; value = Math.floor(value / 128)) digits.push((value % 128) + 128);
  return [...digits, value];
}
