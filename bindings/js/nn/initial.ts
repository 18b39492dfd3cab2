/** Random weights to begin with: those of the core's generator, by the parameter's name, alike in all engines. */
import { checkSeed } from '../errors/seeds.ts';
import { sizeOf } from '../tensor/shapes.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { PackedWeights } from '../ops/packed_weights.ts';
import { parameterValue, type Parameter, type ParameterOwner } from './parameter.ts';
import { replaceAll } from './state_dict.ts';
import { freshOutput } from '../call/outputs.ts';
import { finish, plan } from '../call/call.ts';
import { fillNormals } from '../call/normals.ts';

export function drawWeights(fn: string, module: ParameterOwner, seed: number): void {
  checkSeed(fn, seed);
  module.instance.engine.check(fn);
  replaceAll(module, module.named(), (name, parameter) =>
    parameter.start === 'normals' ? drawWeight(fn, module, seed, name, parameter) : constant(module, parameter),
  );
}

function drawWeight(
  fn: string,
  module: ParameterOwner,
  seed: number,
  name: string,
  parameter: Parameter,
): Tensor | PackedWeights {
  const drawn = drawNormals(fn, module, seed, name, parameter);
  if (parameter.packing === null) return drawn;
  try {
    return parameterValue(module, fn, name, parameter, drawn);
  } finally {
    drawn.dispose();
  }
}

function constant({ fovea }: ParameterOwner, { shape, start }: Parameter): Tensor {
  const data = new Float32Array(sizeOf(shape)).fill(Number(start === 'ones'));
  return fovea.tensor({ data, shape });
}

/** Normals of variance 1 / fan-in: what one output adds up, all axes but the first. */
function drawNormals(fn: string, { instance }: ParameterOwner, seed: number, name: string, { shape }: Parameter): Tensor {
  const call = plan(instance, fn, (arena) => {
    const y = freshOutput(arena, shape, true);
    fillNormals(arena, y.ptr, { name, seed, count: sizeOf(shape), scale: 1 / Math.sqrt(sizeOf(shape.slice(1))) });
    return () => y.finish();
  });
  return finish(call) as Tensor;
}
