/** ai.onnx Gemm as a linear layer: A [rows, in], B [in, out] or with transB [out, in], C [out]. */
import * as ops from 'fovea/ops';
import { checkKnown, floats, NotApplicable, transpose } from '../arrays.mjs';

export const operators = ['ai.onnx Gemm'];

export function run(fovea, c) {
  checkKnown(c, ['alpha', 'beta', 'broadcast', 'transA', 'transB'], Object.keys(c.inputs));
  const { alpha = 1, beta = 1, transA = 0, transB = 0 } = c.attributes;
  const [A, B, C] = c.input_order.map((name) => floats(c.inputs[name]));
  if (alpha !== 1 || beta !== 1 || transA === 1 || C?.shape.length !== 1)
    throw new NotApplicable('not the form of a linear layer');
  const result = ops.linear(fovea, A, transB === 1 ? B : transpose(B), C);
  return { outputs: { [c.output_order[0]]: result } };
}
