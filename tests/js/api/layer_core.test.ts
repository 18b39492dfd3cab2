/** What recurrent layers and positions make of a module that is not theirs, refuses or traps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abiHash, type CoreModule } from '../../../bindings/js/abi.ts';
import { POSITION_BLOCKS } from '../../../bindings/js/position/abi.ts';
import { learned, recurrent, rotary, sinusoidal } from '../../../bindings/js/position/index.ts';
import { RECURRENT_BLOCKS } from '../../../bindings/js/recurrent/abi.ts';
import { lstm } from '../../../bindings/js/recurrent/index.ts';
import type { Fovea } from '../../../bindings/js/fovea.ts';
import { fakeFovea, STATUSES } from '../support/fake_core.ts';

const hashes: Partial<CoreModule> = {
  recurrentAbiHash: () => abiHash(RECURRENT_BLOCKS),
  // As Embind may return it: a signed number.
  positionAbiHash: () => abiHash(POSITION_BLOCKS) | 0,
};
const weights = { weight_ih_l0: [[1], [1], [1], [1]], weight_hh_l0: [[1], [1], [1], [1]] };

const calls: Record<string, [operation: keyof CoreModule, call: (fovea: Fovea) => unknown]> = {
  lstm: ['recurrent', (fovea) => lstm(fovea, [[1]], weights)],
  recurrent: ['recurrent', (fovea) => recurrent(fovea, { tokens: 1, params: weights })],
  sinusoidal: ['sinusoidal', (fovea) => sinusoidal(fovea, { tokens: 1, width: 1 })],
  rotary: ['rotary', (fovea) => rotary(fovea, [[1, 1]])],
  learned: ['tableRows', (fovea) => learned(fovea, [[1]], { tokens: 1 })],
};

function refuses(code: string, message: RegExp, call: () => unknown): void {
  assert.throws(call, (error: Error & { code?: string }) => {
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });
}

for (const [name, [operation, call]] of Object.entries(calls)) {
  test(`${name}: a module of another version is not called`, () => {
    const entry = name === 'lstm' ? 'fovea/ops' : 'fovea/position';
    for (const hash of [() => 1, undefined]) {
      const change = { recurrentAbiHash: hash, positionAbiHash: hash, [operation]: () => assert.fail('it was called') };
      const message = new RegExp(`${name}: the .wasm file is of another version than ${entry}`);
      refuses('load', message, () => call(fakeFovea(change as Partial<CoreModule>)));
    }
  });

  test(`${name}: what the module refuses is an error, and no memory is left held`, () => {
    for (const [status, code] of [
      ['memory', 'memory'],
      ['value', 'internal'],
    ] as const) {
      const fovea = fakeFovea({ ...hashes, [operation]: () => STATUSES.indexOf(status), refusedBytes: () => 123 });
      refuses(code, status === 'memory' ? /refused a workspace of 123 bytes/ : /the core reported 'value'/, () => call(fovea));
      assert.equal(fovea.memory().live, 0);
    }
    const trapped = fakeFovea({
      ...hashes,
      [operation]: () => {
        throw new WebAssembly.RuntimeError('unreachable');
      },
    });
    refuses('internal', /trapped \(unreachable\)/, () => call(trapped));
  });

  test(`${name}: a module of this version is called once`, () => {
    let times = 0;
    call(fakeFovea({ ...hashes, [operation]: () => ((times += 1), 0) }));
    assert.equal(times, 1);
  });
}
