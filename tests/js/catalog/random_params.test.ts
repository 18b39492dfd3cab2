/** Random params in place of designed ones, for comparison. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomParams } from 'fovea/mechanisms';
import { run } from 'fovea/catalog';
import { fovea } from '../support/api.ts';
import { entryOf } from '../support/catalog_stages.ts';

const ids = [
  ...['attention_over_attention', 'attention_sum_reader', 'decomposable_attention', 'disan', 'distance_self_attention'],
  ...['dynamic_memory', 'em_attention', 'graph_attention', 'hierarchical_attention', 'key_value_memory', 'memory_network'],
  ...['resa', 'saliency', 'sentence_embedding'],
];

for (const id of ids)
  test(`${id}: random params of the same shapes run, and do not show what is claimed`, () => {
    const { params, claim } = entryOf(id).defaults;
    const drawn = randomParams(fovea, params as never, { seed: 1 });
    assert.ok(!claim.holds(run(fovea, id, undefined, drawn).trace));
  });
