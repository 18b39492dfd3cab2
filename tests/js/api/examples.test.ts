/** Runs every @example of the published types; `// value` behind an expression is what it gives. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as fovea from 'fovea';
import * as inline from 'fovea/inline';
import * as files from 'fovea/files';
import * as cache from 'fovea/cache';
import * as linear from 'fovea/linear';
import * as modules from 'fovea/modules';
import * as ops from 'fovea/ops';
import * as pattern from 'fovea/pattern';
import * as position from 'fovea/position';
import * as score from 'fovea/score';
import * as worker from 'fovea/worker';

const AsyncFunction = (async () => {}).constructor as new (...args: string[]) => (...values: unknown[]) => Promise<void>;

/** `expression; // value` as an assertion, `import` lines as constants. */
function runnable(code: string): string {
  return code
    .replace(/^import (\{.*\}) from '(.*)';$/gm, 'const $1 = modules["$2"];')
    .replace(/^((?:fovea|x|cache|toNested)[.(].*); \/\/ (.*)$/gm, 'check($1, `$2`);');
}

function check(got: unknown, printed: string): void {
  const wanted = /^\{ data: Float32Array (?<data>\[.*\]), shape: (?<shape>\[.*\]) \}$/.exec(printed)?.groups;
  if (wanted !== undefined) {
    const { data, shape } = got as fovea.NDArray;
    assert.deepEqual([[...data], shape], [JSON.parse(wanted['data']!), JSON.parse(wanted['shape']!)]);
    return;
  }
  const isArray = typeof got === 'object' && got !== null && 'data' in got;
  const flat = (value: unknown): number[] => [value].flat(9) as number[];
  const numbers = flat(isArray ? fovea.toNested(got as fovea.NDArray) : got);
  const expected = flat(JSON.parse(printed));
  assert.equal(numbers.length, expected.length);
  numbers.forEach((value, i) => assert.ok(Math.abs(value - expected[i]!) < 1e-3, `${value} is not ${expected[i]}`));
}

const sources = [
  'index',
  'inline',
  'fovea',
  'ops',
  'tensor',
  'errors',
  'nested',
  'files/index',
  'files/write_npy',
  'files/write_safetensors',
  'layers/activations',
  'layers/conv1d',
  'layers/gates',
  'layers/norms',
  'layers/pooling',
  'layers/products',
  'cache/kv_cache',
  'cache/make_cache',
  'linear_attention/approximation',
  'linear_attention/favor_projection',
  'linear_attention/linear_attention',
  'linear_attention/linear_state',
  'linear_attention/linformer',
  'linear_attention/make_state',
  'modules/conv1d',
  'modules/conv1d_glu',
  'modules/feed_forward',
  'modules/gru',
  'modules/layer_norm',
  'modules/linear',
  'modules/lstm',
  'modules/multi_head_attention',
  'modules/residual',
  'modules/rms_norm',
  'modules/rnn',
  'modules/self_attention',
  'modules/transformer_decoder',
  'modules/transformer_decoder_layer',
  'modules/transformer_encoder',
  'modules/transformer_encoder_layer',
  'pattern/builders',
  'pattern/pattern',
  'position/bias',
  'position/learned',
  'position/recurrent',
  'position/rotary',
  'position/sinusoidal',
  'recurrent/gru',
  'recurrent/lstm',
  'recurrent/rnn',
  'score/builders',
  'score/multi_dimensional',
  'score/score',
  'worker/index',
  'worker/remote_fovea',
  'worker/remote_tensor',
];

for (const file of sources) {
  const text = readFileSync(`dist/${file}.d.ts`, 'utf8');
  const comments = text.match(/\/\*\*[^]*?\*\//g) ?? [];
  comments
    .filter((comment) => comment.includes('@example'))
    .forEach((comment) => {
      const lines = comment.replace(/^ *\/?\*+\/? ?/gm, '').split('@example\n')[1]!;
      const subject = text
        .slice(text.indexOf(comment) + comment.length)
        .trim()
        .split('\n')[0]!
        .slice(0, 60);
      test(`the example of ${file}: ${subject}`, async () => {
        // An example that makes its own instance assigns the parameter of that name.
        const program = runnable(lines).replace(/^const fovea = /m, 'fovea = ');
        const run = new AsyncFunction('modules', 'check', 'AttentionError', 'toNested', 'fovea', program);
        const entries = {
          fovea,
          'fovea/inline': inline,
          'fovea/files': files,
          'fovea/cache': cache,
          'fovea/linear': linear,
          'fovea/modules': modules,
          'fovea/ops': ops,
          'fovea/pattern': pattern,
          'fovea/position': position,
          'fovea/score': score,
          'fovea/worker': { ...worker },
        };
        await run(entries, check, fovea.AttentionError, fovea.toNested, await fovea.load());
      });
    });
}
