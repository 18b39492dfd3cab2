// The proof that a toolchain serves: what is special about fovea's build, in one program of a few lines.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const program = `
#include <emscripten/bind.h>
#include <xsimd/xsimd.hpp>

using batch = xsimd::batch<float, xsimd::wasm>;

static float sum_of_squares_below_four() {
  const float numbers[] = {0, 1, 2, 3};
  const batch x = batch::load_unaligned(numbers);
  return xsimd::reduce_add(batch(wasm_f32x4_relaxed_madd(x, x, batch(0.0f))));
}

EMSCRIPTEN_BINDINGS(trial) { emscripten::function("sumOfSquaresBelowFour", &sum_of_squares_below_four); }
`;

const runner = `
import create from './trial.mjs';
const trial = await create();
if (trial.sumOfSquaresBelowFour() !== 14) throw new Error('the trial program computes wrongly');
`;

const flags =
  '-std=c++20 -O2 -mrelaxed-simd -fno-exceptions -fno-rtti -DEMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0 ' +
  '-lembind -sDYNAMIC_EXECUTION=0 -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=node';

/** Compiles, links and runs the trial program in a folder `dir`, which goes again. Rejects when that fails. */
export async function tryToolchain(toolchain, dir, run) {
  mkdirSync(dir);
  writeFileSync(join(dir, 'trial.cpp'), program);
  writeFileSync(join(dir, 'run.mjs'), runner);
  const options = { cwd: dir, env: toolchain.env };
  await run(toolchain.emxx, ['trial.cpp', '-o', 'trial.mjs', `-I${toolchain.xsimdInclude}`, ...flags.split(' ')], options);
  await run(toolchain.env.EM_NODE_JS, ['run.mjs'], options);
  rmSync(dir, { recursive: true });
}
