// ONNX models, written down. Field numbers and types: onnx.proto of the ONNX repository.

import { bytes, float, integer, join, message } from './protobuf.mjs';

/** TensorProto.DataType by the kind of array. */
const types = new Map([[Float32Array, 1], [Uint8Array, 2], [Int8Array, 3], [Int32Array, 6], [BigInt64Array, 7]]); // prettier-ignore
/** TensorProto.DataType of int32, as Cast takes it. */
export const int32 = types.get(Int32Array);
const irVersion = 10;

/** The domain of onnxruntime's own operators. */
export const microsoft = 'com.microsoft';

/**
 * @param {object} model
 * @param {Record<string, number>} model.opsets - version by domain; '' is ONNX's own
 * @param {Array} model.nodes - from `node`
 * @param {Record<string, (number | string)[] | { int64: (number | string)[] }>} model.inputs - float32 where nothing else is said,
 *   dimensions by name; a text names one that calls decide
 * @param {Record<string, (number | string)[]>} model.outputs
 * @param {Record<string, { dims: number[], data: Float32Array | Uint8Array | Int8Array | Int32Array | BigInt64Array }>} [model.constants]
 * @returns {Uint8Array}
 */
export function encodeModel({ opsets, nodes, inputs, outputs, constants = {} }) {
  const graph = message(
    ...nodes.map((node) => bytes(1, node)),
    bytes(2, 'attention'),
    ...Object.entries(constants).map(([name, { dims, data }]) => bytes(5, tensor(name, dims, data))),
    ...Object.entries(inputs).map(([name, dims]) => bytes(11, valueInfo(name, dims))),
    ...Object.entries(outputs).map(([name, dims]) => bytes(12, valueInfo(name, dims))),
  );
  const imports = Object.entries(opsets).map(([domain, version]) => bytes(8, message(bytes(1, domain), integer(2, version))));
  return join(message(integer(1, irVersion), ...imports, bytes(7, graph)));
}

/** A node of operator `type`; attributes are integers, lists of integers, text or { float }. */
export function node(type, inputs, outputs, attributes = {}, domain = '') {
  return message(
    ...inputs.map((name) => bytes(1, name)), // '' leaves an input out
    ...outputs.map((name) => bytes(2, name)),
    bytes(4, type),
    ...Object.entries(attributes).map(([name, value]) => bytes(5, attribute(name, value))),
    bytes(7, domain),
  );
}

function attribute(name, value) {
  if (Array.isArray(value)) return message(bytes(1, name), ...value.map((x) => integer(8, x)), integer(20, 7)); // INTS
  if (typeof value === 'string') return message(bytes(1, name), bytes(4, value), integer(20, 3)); // STRING
  if (typeof value === 'object') return message(bytes(1, name), float(2, value.float), integer(20, 1)); // FLOAT
  return message(bytes(1, name), integer(3, value), integer(20, 2)); // INT
}

function tensor(name, dims, data) {
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return message(...dims.map((dim) => integer(1, dim)), integer(2, types.get(data.constructor)), bytes(8, name), bytes(9, raw));
}

function valueInfo(name, given) {
  const [kind, dims] = Array.isArray(given) ? [Float32Array, given] : [BigInt64Array, given.int64];
  const shape = message(...dims.map((dim) => bytes(1, message(typeof dim === 'string' ? bytes(2, dim) : integer(1, dim)))));
  const type = message(bytes(1, message(integer(1, types.get(kind)), bytes(2, shape))));
  return message(bytes(1, name), bytes(2, type));
}
