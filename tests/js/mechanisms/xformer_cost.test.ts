/** xformerCost: its counts against patterns and pairs counted one by one, each beside the wrong variant that it catches. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { xformerCost } from 'fovea/mechanisms';
import { pattern, type Pattern } from 'fovea/pattern';
import { reference, type Wrong } from '../reference/xformer_cost.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls, type DrawnCall } from '../support/mechanism_drawn.ts';
import { nested, properties, type Run } from '../support/mechanism_properties.ts';

type Costs = Record<string, { pairs: number; multiplyAdds: number }>;

const run = nested(xformerCost as never);
const property = properties<Wrong>(run, reference);

test('xformerCost agrees with pairs counted one by one', () => {
  for (const n of [0, 1, 2, 7, 20])
    for (const k of [1, 2, 3, 7, 30])
      for (const causal of [false, true]) {
        const kinds = { full: { causal }, local: { k, causal }, atrous: { k, causal }, sparse: { k, causal } };
        const options = { n, d: 3, dv: 5, heads: 2, kinds };
        assert.deepEqual(run({}, {}, options), reference('')({}, {}, options), JSON.stringify({ n, k, causal }));
      }
});

agreesOnDrawnCalls(
  run,
  reference,
  ['band not cut at the ends', 'distances counted twice', 'n squared over k'],
  (draw): DrawnCall => {
    const causal = (): object => (draw.maybe() ? { causal: draw.maybe() } : {});
    const square = ['local', 'atrous', 'sparse'].map(
      (kind) => [kind, { k: draw.integer(Number(kind !== 'local'), 20), ...causal() }] as const,
    );
    const kinds = [['full', causal()] as const, ...square].filter(() => draw.integer(0, 3) > 0);
    return {
      ...{ inputs: {}, params: {} },
      options: {
        ...{ n: draw.integer(0, 40), d: draw.width(), kinds: Object.fromEntries(kinds) },
        ...(draw.maybe() && { dv: draw.width() }),
        ...(draw.maybe() && { heads: draw.integer(1, 8) }),
      },
    };
  },
);

/** How many pairs a pattern of fovea/pattern allows. */
const counted = (one: Pattern, n: number): number => one.pairs(fovea, { queries: n, keys: n }).indices.length;
const pairsOf = (run: Run, n: number, kinds: object): number =>
  Object.values(run({}, {}, { n, d: 1, kinds }) as Costs)[0]!.pairs;

property('local has as many pairs as its pattern', 'band not cut at the ends', (cost) =>
  [3, 4, 25].every((k) => pairsOf(cost, 24, { local: { k } }) === counted(pattern.local(k), 24)),
);

property('sparse has as many pairs as local or atrous', 'distances counted twice', (cost) =>
  [3, 5].every((k) => pairsOf(cost, 24, { sparse: { k } }) === counted(pattern.local(k).or(pattern.atrous(k)), 24)),
);

property('atrous has as many pairs as its pattern', 'n squared over k', (cost) =>
  [3, 5, 7].every((k) => pairsOf(cost, 25, { atrous: { k } }) === counted(pattern.atrous(k), 25)),
);

test('longformer, axial, bigBird without random blocks and the Reformer agree with patterns', () => {
  for (const [window, dilation, global] of [
    [4, 1, 0],
    [6, 3, 2],
    [2, 5, 30],
    [40, 1, 1],
  ] as const) {
    const globalTokens = Array.from({ length: Math.min(global, 21) }, (_, i) => i);
    for (const causal of [false, true]) {
      const whole = pattern.longformer({ window, dilation, globalTokens });
      const want = counted(causal ? whole.and(pattern.causal()) : whole, 21);
      assert.equal(pairsOf(run, 21, { longformer: { window, dilation, global, causal } }), want);
    }
  }
  const [rows, columns] = [0, 1].map((axis) => pattern.axial({ shape: [3, 5], axis })) as [Pattern, Pattern];
  for (const causal of [false, true]) {
    const cut = (one: Pattern): number => counted(causal ? one.and(pattern.causal()) : one, 15);
    assert.equal(pairsOf(run, 15, { axial: { shape: [3, 5], form: 'union', causal } }), cut(rows.or(columns)));
    assert.equal(pairsOf(run, 15, { axial: { shape: [3, 5], causal } }), cut(rows) + cut(columns));
  }
  for (const [window, global] of [
    [3, 2],
    [1, 0],
    [5, 1],
    [15, 3],
  ] as const) {
    const want = counted(pattern.bigBird({ block: 2, window, global, random: 0 }), 24);
    assert.equal(pairsOf(run, 24, { bigBird: { block: 2, window, global, random: 0 } }), want);
  }
  assert.equal(pairsOf(run, 24, { bigBird: { block: 2, window: 1, global: 0, random: 99 } }), 24 ** 2);
  const chunks = pattern.fromFunction((i, j) => [0, 1].includes(Math.floor(i / 5) - Math.floor(j / 5)));
  assert.equal(pairsOf(run, 23, { reformer: { rounds: 3, chunk: 5, buckets: 4 } }), 3 * counted(chunks, 23));
});

test('multiply-adds are linear in d + dv, those of linear kinds in n; heads multiply them', () => {
  const kinds = { full: {}, local: { k: 3 }, linear: {}, efficient: {}, performer: { features: 8 }, linformer: { rank: 4 } };
  const cost = (n: number, d: number, dv: number, heads = 1): Costs => run({}, {}, { n, d, dv, heads, kinds }) as Costs;
  assert.equal(cost(40, 6, 10)['full']!.multiplyAdds, 2 * cost(40, 3, 5)['full']!.multiplyAdds);
  for (const kind of ['linear', 'efficient', 'performer', 'linformer'])
    assert.equal(cost(120, 4, 8)[kind]!.multiplyAdds, 3 * cost(40, 4, 8)[kind]!.multiplyAdds, kind);
  for (const kind of Object.keys(kinds))
    assert.equal(cost(40, 4, 8, 5)[kind]!.multiplyAdds, 5 * cost(40, 4, 8)[kind]!.multiplyAdds);
  assert.deepEqual(cost(0, 4, 8)['performer'], { pairs: 0, multiplyAdds: 0 });
});

test('counts up to 2^53 are exact, beyond it an error; nothing is held', () => {
  const whole = leavesNothing(() =>
    xformerCost(fovea, {}, {}, { n: 94_906_265, d: 1, kinds: { linear: {}, local: { k: 1 } } }),
  );
  assert.equal(whole.local.pairs, 3 * 94_906_265 - 2);
  const many = xformerCost(
    fovea,
    {},
    {},
    { n: 2 ** 40, d: 1, kinds: { bigBird: { block: 1, window: 3, global: 1, random: 0 } } },
  );
  assert.equal(many.bigBird.pairs, 2 ** 40 + 3 + 4 * (2 ** 40 - 3) + 3);
  fails('value', /xformerCost: the counts of full must be below 2\^53, got 9007199326062756/, () =>
    xformerCost(fovea, {}, {}, { n: 94_906_266, d: 1, kinds: { full: {} } }),
  );
});

test('bad input is an error that says what was expected', () => {
  const call =
    (kinds: object, change: object = {}) =>
    () =>
      xformerCost(fovea, {}, {}, { n: 12, d: 4, kinds, ...change } as never);
  fails('option', /unknown kind 'longFormer'; did you mean 'longformer'\?/, call({ longFormer: {} }));
  fails('option', /unknown parameter of local 'width'/, call({ local: { k: 1, width: 2 } }));
  fails('option', /unknown parameter of bigBird 'causal'/, call({ bigBird: { causal: true } }));
  fails(
    'value',
    /kinds\.local\.k must be an integer of at least 0|kinds\.local\.k must be an integer from 0/,
    call({ local: {} }),
  );
  fails(
    'value',
    /kinds\.bigBird\.block must divide n = 12, got 5/,
    call({ bigBird: { block: 5, window: 3, global: 1, random: 1 } }),
  );
  fails('value', /kinds\.bigBird\.window must be odd, got 2/, call({ bigBird: { block: 3, window: 2, global: 1, random: 1 } }));
  fails('value', /kinds\.longformer\.window must be even, got 3/, call({ longformer: { window: 3 } }));
  fails('value', /kinds\.axial\.shape must have n = 12 positions, got 3 × 5/, call({ axial: { shape: [3, 5] } }));
  fails('value', /kinds must be an object/, call([] as never));
  fails('value', /n must be an integer/, call({ full: {} }, { n: -1 }));
  fails('value', /params must have the mechanism's names, got unexpected W/, () =>
    xformerCost(fovea, {}, { W: [1] } as never, { n: 1, d: 1, kinds: {} }),
  );
});
