/** ai.onnx Softmax, LogSoftmax, ReduceLogSumExp, and the graph Neg, Softmax (PyTorch's Softmin). */
import * as ops from 'fovea/ops';
import { checkKnown, floats, integers, NotApplicable, sizeOf } from '../arrays.mjs';

export const operators = ['ai.onnx Softmax', 'ai.onnx LogSoftmax', 'ai.onnx ReduceLogSumExp', 'ai.onnx graph: Neg Softmax'];

export function run(fovea, c) {
  const [name] = Object.keys(c.outputs);
  const x = floats(Object.values(c.inputs)[0]);
  if (c.op === 'ReduceLogSumExp') return { outputs: { [name]: reduce(fovea, c, x) } };
  if (c.op === 'graph')
    return {
      outputs: {
        [name]: normalize(
          fovea,
          ops.softmax,
          { data: x.data.map((value) => -value), shape: x.shape },
          c.graph.nodes[1].attributes.axis,
          opsetOf(c),
        ),
      },
    };
  checkKnown(c, ['axis'], Object.keys(c.inputs));
  return {
    outputs: {
      [name]: normalize(fovea, c.op === 'Softmax' ? ops.softmax : ops.logSoftmax, x, c.attributes.axis, opsetOf(c)),
    },
  };
}

/** Before opset 13 the axes from `axis` (default 1) on are one; since then `axis` (default -1) is one axis. */
function normalize(fovea, softmax, x, axis, opset) {
  if (opset >= 13) return softmax(fovea, x, { axis: axis ?? -1 });
  const first = (axis ?? 1) < 0 ? axis + x.shape.length : (axis ?? 1);
  const rows = sizeOf(x.shape.slice(0, first));
  const { data } = softmax(fovea, { data: x.data, shape: [rows, sizeOf(x.shape.slice(first))] }, { axis: -1 });
  return { data, shape: x.shape };
}

/** The suites that state no opset mean the newest. */
function opsetOf(c) {
  return c.opset?.['ai.onnx'] || Infinity;
}

function reduce(fovea, c, x) {
  checkKnown(c, ['keepdims', 'axes', 'noop_with_empty_axes'], ['data', 'axes']);
  const axes = c.attributes.axes ?? (c.inputs.axes && integers(c.inputs.axes));
  if (axes?.length !== 1) throw new NotApplicable('more than one axis in one call');
  const axis = axes[0] < 0 ? axes[0] + x.shape.length : axes[0];
  const { data } = ops.logSumExp(fovea, x, { axis });
  const shape =
    c.attributes.keepdims === 0 ? x.shape.filter((_, n) => n !== axis) : x.shape.map((length, n) => (n === axis ? 1 : length));
  return { data, shape };
}
