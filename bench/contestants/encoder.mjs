// A transformer encoder by fovea: weights under PyTorch's names; the input a Tensor that lies ready, or a plain array;
// weights in float32 or in 8 bits.

import { normEps } from '../encoder.mjs';
import { encoderDimensions } from '../shapes.mjs';

/** @returns {Promise<{ run: () => void, output: () => Float32Array }>} */
export async function prepareEncoder(fovea, shape, { x, ...arrays }, { resident, int8 = false }, environment) {
  const { TransformerEncoder } = await import(environment.foveaModules);
  const { heads, queries, width, encoder: sizes } = shape;
  const encoder = new TransformerEncoder(fovea, {
    numLayers: sizes.layers,
    dModel: heads * width,
    nHead: heads,
    dimFeedforward: sizes.feedForward,
    activation: 'gelu',
    layerNormEps: normEps,
  });
  const shapes = encoderDimensions(shape);
  encoder.loadStateDict(
    Object.fromEntries(Object.entries(arrays).map(([name, data]) => [name, { data, shape: shapes[name] }])),
    int8 ? { dtype: 'int8' } : {},
  );
  const plain = { data: x, shape: [1, queries, heads * width] };
  const input = resident ? fovea.tensor(plain) : plain;
  let result;
  return {
    run() {
      if (resident) result?.dispose();
      result = encoder.forward(input);
    },
    output: () => (resident ? result.toArray().data : result.data),
  };
}
