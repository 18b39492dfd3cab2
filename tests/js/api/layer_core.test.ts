/** Recurrent layers and positions with a module that refuses or traps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoreModule } from '../../../bindings/js/runtime/core_module.ts';
import {
  learnedPositions,
  recurrentPositions,
  rotaryEmbedding,
  sinusoidalPositions,
} from '../../../bindings/js/position/index.ts';
import { lstm } from '../../../bindings/js/ops/recurrent/index.ts';
import type { Fovea } from '../../../bindings/js/fovea/fovea.ts';
import { fakeFovea, STATUSES } from '../support/fake_core.ts';

const weights = { weight_ih_l0: [[1], [1], [1], [1]], weight_hh_l0: [[1], [1], [1], [1]] };

const calls: Record<string, [operation: keyof CoreModule, call: (fovea: Fovea) => unknown]> = {
  lstm: ['recurrent', (fovea) => lstm(fovea, [[1]], weights)],
  recurrentPositions: ['recurrent', (fovea) => recurrentPositions(fovea, { tokens: 1, params: weights })],
  sinusoidalPositions: ['sinusoidal', (fovea) => sinusoidalPositions(fovea, { tokens: 1, width: 1 })],
  rotaryEmbedding: ['rotary', (fovea) => rotaryEmbedding(fovea, [[1, 1]])],
  learnedPositions: ['tableRows', (fovea) => learnedPositions(fovea, [[1]], { tokens: 1 })],
};

function refuses(code: string, message: RegExp, call: () => unknown): void {
  assert.throws(call, (error: Error & { code?: string }) => {
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });
}

for (const [name, [operation, call]] of Object.entries(calls)) {
  test(`${name}: what the module refuses is an error, and no memory is left held`, () => {
    for (const [status, code] of [
      ['memory', 'memory'],
      ['value', 'internal'],
    ] as const) {
      const fovea = fakeFovea({ [operation]: () => STATUSES.indexOf(status), refusedBytes: () => 123 });
      refuses(code, status === 'memory' ? /refused a workspace of 123 bytes/ : /the core reported 'value'/, () => call(fovea));
      assert.equal(fovea.memory().live, 0);
    }
    const trapped = fakeFovea({
      [operation]: () => {
        throw new WebAssembly.RuntimeError('unreachable');
      },
    });
    refuses('internal', /trapped \(unreachable\)/, () => call(trapped));
  });

  test(`${name}: the module is called once`, () => {
    let times = 0;
    call(fakeFovea({ [operation]: () => ((times += 1), 0) }));
    assert.equal(times, 1);
  });
}
