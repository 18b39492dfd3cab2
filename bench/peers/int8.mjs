// Weights of 8 bits in ONNX graphs, as onnxruntime's quantize_dynamic makes them (weight_type QInt8, per_channel): W[i, o] is
// scale[o] · values[i, o], values from -127 to 127, zero points 0.

import { node } from './onnx.mjs';

/** The constants that take a matrix's place. */
export const quantizedNames = (weight) => ({
  values: `${weight}_quantized`,
  scales: `${weight}_scale`,
  zeros: `${weight}_zero_point`,
});

/** The outputs of DynamicQuantizeLinear for an input. */
export const quantizedInput = (input) => ({
  quantized: `${input}_quantized`,
  scale: `${input}_scale`,
  zero: `${input}_zero_point`,
});

/** x·W by ONNX's own operators; DynamicQuantizeLinear of the input comes before, once for all its products. */
export function quantizedProduct(input, weight, output) {
  const { quantized, scale, zero } = quantizedInput(input);
  const { values, scales, zeros } = quantizedNames(weight);
  return [
    node('MatMulInteger', [quantized, values, zero, zeros], [`${output}_integers`]),
    node('Cast', [`${output}_integers`], [`${output}_cast`], { to: 1 }),
    node('Mul', [scale, scales], [`${output}_scales`]),
    node('Mul', [`${output}_cast`, `${output}_scales`], [output]),
  ];
}

/** Constants by name with every matrix [in, out] in 8 bits. */
export function int8Constants(constants) {
  const all = Object.entries(constants).map(([name, constant]) =>
    constant.dims.length === 2 ? Object.entries(quantize(name, constant)) : [[name, constant]],
  );
  return Object.fromEntries(all.flat());
}

function quantize(name, { dims: [rows, columns], data }) {
  const largest = new Float32Array(columns);
  for (let i = 0; i < data.length; ++i) largest[i % columns] = Math.max(largest[i % columns], Math.abs(data[i]));
  const factors = largest.map((most) => (most === 0 ? 1 : most / 127));
  const values = Int8Array.from(data, (x, i) => Math.round(x / factors[i % columns]));
  const names = quantizedNames(name);
  return {
    [names.values]: { dims: [rows, columns], data: values },
    [names.scales]: { dims: [columns], data: factors },
    [names.zeros]: { dims: [columns], data: new Int8Array(columns) },
  };
}

/** A table of rows, int8 with one scale. */
export function quantizeTable(name, { dims, data }) {
  const scale = data.reduce((most, x) => Math.max(most, Math.abs(x)), 0) / 127;
  const names = quantizedNames(name);
  return {
    [names.values]: { dims, data: Int8Array.from(data, (x) => Math.round(x / scale)) },
    [names.scales]: { dims: [], data: Float32Array.of(scale) },
    [names.zeros]: { dims: [], data: new Int8Array(1) },
  };
}

/** Rows of such a table, by ids, in float32. */
export function quantizedRows(name, ids, output) {
  const { values, scales, zeros } = quantizedNames(name);
  return [
    node('Gather', [values, ids], [`${output}_quantized`]),
    node('DequantizeLinear', [`${output}_quantized`, scales, zeros], [output]),
  ];
}
