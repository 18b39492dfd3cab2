/** ai.onnx.preview FlexAttention: attention with small graphs that change scores and weights; those that fovea has an option for. */
import { readTensor } from '../case_files.mjs';
import { checkKnown, floats, NotApplicable } from '../arrays.mjs';

export const operators = ['ai.onnx FlexAttention'];

export function run(fovea, c, { returnWeights }) {
  checkKnown(c, ['scale', 'score_mod', 'prob_mod', 'softmax_precision'], ['Q', 'K', 'V']);
  if (c.attributes.prob_mod !== undefined)
    throw new NotApplicable('prob_mod: no function yet that changes weights after the softmax');
  const { Q, K, V } = c.inputs;
  const result = fovea.attention(floats(Q), floats(K), floats(V), {
    scale: c.attributes.scale,
    ...scoreOptions(c.attributes.score_mod),
    returnWeights,
  });
  return { weights: result.weights, outputs: { Y: result.output } };
}

/** Div by a cap, Tanh, Mul by it = softcap; Add of a constant = a float mask. */
function scoreOptions(scoreMod) {
  if (scoreMod === undefined) return {};
  const {
    inputs: [scores],
    nodes,
    initializers = {},
  } = scoreMod.graph;
  const constants = Object.fromEntries(
    Object.entries(initializers).map(([name, tensor]) => [name, floats(readTensor(tensor))]),
  );
  const shape = nodes.map((node) => node.op).join(' ');
  if (shape === 'Add' && nodes[0].inputs.includes(scores)) {
    const constant = constants[nodes[0].inputs.find((name) => name !== scores)];
    if (constant !== undefined)
      return { mask: { data: constant.data, shape: constant.shape.length === 0 ? [1, 1, 1, 1] : constant.shape } };
  }
  if (shape === 'Div Tanh Mul' && nodes[0].inputs[1] === nodes[2].inputs[1]) {
    const cap = constants[nodes[0].inputs[1]];
    if (cap?.data.length === 1) return { softcap: cap.data[0] };
  }
  throw new NotApplicable(`score_mod ${shape}: no such score in the API`);
}
