/** Rearranging of arrays { data, shape } for the operators; nothing here computes attention. */

export class NotApplicable extends Error {}

export function sizeOf(shape) {
  return shape.reduce((product, n) => product * n, 1);
}

/** A case's tensor as fovea takes it. */
export function floats({ data, shape }) {
  return { data: Float32Array.from(data), shape: [...shape] };
}

/** The integers of a case's tensor. */
export function integers({ data }) {
  return Array.from(data);
}

export function reshape({ data, shape }, ...to) {
  if (sizeOf(to) !== sizeOf(shape)) throw new Error(`[${shape}] does not have the size of [${to}]`);
  return { data, shape: to };
}

/** [a, b, c, d] -> [a, c, b, d]. */
export function swapMiddle({ data, shape: [a, b, c, d] }) {
  const swapped = new Float32Array(data.length);
  for (let i = 0; i < a; i++) {
    for (let j = 0; j < b; j++) {
      for (let k = 0; k < c; k++) {
        const from = ((i * b + j) * c + k) * d;
        swapped.set(data.subarray(from, from + d), ((i * c + k) * b + j) * d);
      }
    }
  }
  return { data: swapped, shape: [a, c, b, d] };
}

/** [B, T, H·D] -> [B, H, T, D]; an array of rank 4 stays as it is. */
export function splitHeads(x, heads) {
  if (x.shape.length === 4) return x;
  const [B, T, width] = x.shape;
  return swapMiddle(reshape(x, B, T, heads, width / heads));
}

/** [B, H, T, D] -> [B, T, H·D]. */
export function mergeHeads(x) {
  const [B, H, T, D] = x.shape;
  return reshape(swapMiddle(x), B, T, H * D);
}

/** Columns [from, to) of the last axis. */
export function columns({ data, shape }, from, to) {
  const width = shape.at(-1);
  const taken = new Float32Array((data.length / width) * (to - from));
  for (let row = 0; row < data.length / width; row++)
    taken.set(data.subarray(row * width + from, row * width + to), row * (to - from));
  return { data: taken, shape: [...shape.slice(0, -1), to - from] };
}

/** Element n of the first axis. */
export function element({ data, shape }, n) {
  const size = sizeOf(shape.slice(1));
  return { data: data.subarray(n * size, (n + 1) * size), shape: shape.slice(1) };
}

/** [past; now] along the tokens, both [B, H, T, D]. */
export function concatTokens(past, now) {
  if (past === undefined) return now;
  const [B, H, P, D] = past.shape;
  const T = now.shape[2];
  const data = new Float32Array(B * H * (P + T) * D);
  for (let n = 0; n < B * H; n++) {
    data.set(past.data.subarray(n * P * D, (n + 1) * P * D), n * (P + T) * D);
    data.set(now.data.subarray(n * T * D, (n + 1) * T * D), (n * (P + T) + P) * D);
  }
  return { data, shape: [B, H, P + T, D] };
}

/** `buffer` [B, H, M, D] with the tokens of `now` written from place at[b] on. */
export function writeTokens(buffer, now, at) {
  const [B, H, M, D] = buffer.shape;
  const T = now.shape[2];
  const data = Float32Array.from(buffer.data);
  for (let b = 0; b < B; b++) {
    for (let h = 0; h < H; h++)
      data.set(now.data.subarray((b * H + h) * T * D, (b * H + h + 1) * T * D), ((b * H + h) * M + at[b]) * D);
  }
  return { data, shape: [B, H, M, D] };
}

/** The first `count` tokens of [B, H, T, D]. */
export function firstTokens({ data, shape: [B, H, T, D] }, count) {
  const kept = new Float32Array(B * H * count * D);
  for (let n = 0; n < B * H; n++) kept.set(data.subarray(n * T * D, (n * T + count) * D), n * count * D);
  return { data: kept, shape: [B, H, count, D] };
}

/** [a; b] along a new first axis. */
export function stack(a, b) {
  const data = new Float32Array(a.data.length + b.data.length);
  data.set(a.data);
  data.set(b.data, a.data.length);
  return { data, shape: [2, ...a.shape] };
}

/** a + b, where b has a's rank and its axes are a's or 1. */
export function add(a, b) {
  if (b === undefined) return a;
  const shape = a.shape.map((n, axis) => Math.max(n, b.shape[axis]));
  const at = ({ data, shape: own }, index) =>
    data[own.reduce((offset, n, axis) => offset * n + (n === 1 ? 0 : index[axis]), 0)];
  const data = new Float32Array(sizeOf(shape));
  const index = shape.map(() => 0);
  for (let n = 0; n < data.length; n++) {
    data[n] = at(a, index) + at(b, index);
    for (let axis = shape.length - 1; axis >= 0 && ++index[axis] === shape[axis]; axis--) index[axis] = 0;
  }
  return { data, shape };
}

/** [rows, columns] -> [columns, rows]. */
export function transpose({ data, shape: [rows, columns] }) {
  const turned = new Float32Array(data.length);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) turned[j * rows + i] = data[i * columns + j];
  return { data: turned, shape: [columns, rows] };
}

/** Throws where a case has an attribute or an input that the operator's file does not know: it must not be ignored in silence. */
export function checkKnown(c, attributes, inputs) {
  for (const name of Object.keys(c.attributes))
    if (!attributes.includes(name)) throw new NotApplicable(`attribute ${name}: not in the API yet`);
  for (const name of Object.keys(c.inputs))
    if (!inputs.includes(name)) throw new NotApplicable(`input ${name}: not in the API yet`);
}
