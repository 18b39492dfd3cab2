/** Runs every @example of the published types; `// value` behind an expression is what it gives. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as fovea from 'fovea';
import * as inline from 'fovea/inline';
import * as files from 'fovea/files';
import * as cache from 'fovea/cache';
import * as linear from 'fovea/linear-attention';
import * as modules from 'fovea/nn';
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
  'attention/types/call',
  'fovea/index',
  'fovea/inline',
  'fovea/fovea',
  'tensor/tensor',
  'errors/errors',
  'tensor/nested',
  'tensor/print',
  'files/index',
  'files/write_npy',
  'files/write_safetensors',
  'ops/activations',
  'ops/conv1d',
  'ops/gates',
  'ops/norms',
  'ops/pooling',
  'ops/products',
  'cache/kv_cache',
  'cache/make_cache',
  'linear_attention/approximation',
  'linear_attention/favor_projection',
  'linear_attention/linear_attention',
  'linear_attention/linear_state',
  'linear_attention/linformer',
  'linear_attention/make_state',
  'nn/causal_decoder',
  'nn/causal_decoder_layer',
  'nn/conv1d',
  'nn/conv1d_glu',
  'nn/embedding',
  'nn/feed_forward',
  'nn/gru',
  'nn/layer_norm',
  'nn/linear',
  'nn/lstm',
  'nn/multi_head_attention',
  'nn/residual',
  'nn/rms_norm',
  'nn/rnn',
  'nn/self_attention',
  'nn/transformer_decoder',
  'nn/transformer_decoder_layer',
  'nn/transformer_encoder',
  'nn/transformer_encoder_layer',
  'pattern/builders',
  'pattern/pattern',
  'position/learned',
  'position/recurrent',
  'position/rotary',
  'position/sinusoidal',
  'ops/recurrent/gru',
  'ops/recurrent/lstm',
  'ops/recurrent/rnn',
  'score/bias',
  'score/builders',
  'score/normalizers',
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
          'fovea/linear-attention': linear,
          'fovea/nn': modules,
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
