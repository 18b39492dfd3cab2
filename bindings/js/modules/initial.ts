/** Random weights to begin with: those of the core's generator, by the parameter's name, alike in all engines. */
import { BLOCKS, NORMALS_FIELDS } from '../linear_attention/abi.ts';
import { fail } from '../errors.ts';
import { checkSeed, seedWords } from '../seeds.ts';
import { sizeOf } from '../shapes.ts';
import type { Tensor } from '../tensor.ts';
import type { Module, Parameter } from './module.ts';
import { replaceAll } from './state_dict.ts';

export function drawWeights(fn: string, module: Module, seed: number): void {
  checkSeed(fn, seed);
  const core = module.tools.instance.engine.check(fn);
  if (core.linearAbiHash() >>> 0 !== module.tools.abiHash(BLOCKS))
    fail('load', fn, 'the .wasm file is of another version than fovea/modules; take both from one package');
  replaceAll(module, module.named(), (name, parameter) =>
    parameter.start === 'normals' ? drawNormals(fn, module, seed, name, parameter) : constant(module, parameter),
  );
}

function constant({ fovea }: Module, { shape, start }: Parameter): Tensor {
  const data = new Float32Array(sizeOf(shape)).fill(Number(start === 'ones'));
  return fovea.tensor({ data, shape });
}

/** Normals of variance 1 / fan-in: what one output adds up, all axes but the first. */
function drawNormals(fn: string, { tools }: Module, seed: number, name: string, { shape }: Parameter): Tensor {
  const [seedLow, seedHigh] = seedWords(seed);
  const count = sizeOf(shape);
  const call = tools.plan(tools.instance, fn, (frame) => {
    const y = new tools.Outputs(frame, {}, true, []).fresh(shape);
    const scale = 1 / Math.sqrt(sizeOf(shape.slice(1)));
    const fields = { count, name: hashOf(name), seedLow, seedHigh, scale };
    const run = (): void => frame.run('parameterNormals', NORMALS_FIELDS, { ...fields, y: y.span.address });
    frame.steps.push({ operation: null, run });
    return () => y.finish();
  });
  return tools.finish(call) as Tensor;
}

/** FNV-1a (32 bit): which random parameter it is. */
function hashOf(name: string): number {
  let hash = 2166136261;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 16777619);
  return hash;
}
