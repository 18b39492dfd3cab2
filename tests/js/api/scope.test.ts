import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Tensor } from 'fovea';
import { kvCache } from 'fovea/cache';
import { linearState } from 'fovea/linear-attention';
import { CausalDecoder } from 'fovea/nn';
import { fails, fovea, leavesNothing, works } from '../support/api.ts';
import { MECHANISM_CALLS, PUBLIC_CALLS } from '../support/public_calls.ts';

test('scope frees what was made in it but the Tensors reachable from what it returns', () => {
  leavesNothing(() => {
    const kept = fovea.scope(() => {
      const [a, b, c, d] = [1, 2, 3, 4].map((x) => fovea.tensor([x])) as [Tensor, Tensor, Tensor, Tensor];
      fovea.tensor([[9, 9]]);
      return { list: [a], map: new Map([['b', b]]), set: new Set([c]), deep: { d }, n: 1, nothing: null };
    });
    const tensors = [kept.list[0]!, kept.map.get('b')!, [...kept.set][0]!, kept.deep.d];
    assert.deepEqual(
      tensors.map((x) => x.data[0]),
      [1, 2, 3, 4],
    );
    assert.equal(fovea.memory().live, 4 * 16);
    for (const x of tensors) x.dispose();
  });
});

test('scope returns what its function returns, and cycles do no harm', () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  assert.equal(
    leavesNothing(() => fovea.scope(() => circle)),
    circle,
  );
  assert.equal(
    fovea.scope(() => 7),
    7,
  );
});

test('scope leaves alone what was made outside, and frees the results of calls', () => {
  leavesNothing(() => {
    const x = fovea.tensor([[1, 2]]);
    const output = fovea.scope(() => {
      const first = fovea.attention(x, x, x).output;
      return fovea.attention(first, x, x).output;
    });
    assert.equal(fovea.memory().live, 32);
    assert.deepEqual([...x.data, ...output.data], [1, 2, 1, 2]);
    x.dispose();
    output.dispose();
  });
});

test('what an inner scope keeps belongs to the outer one', () => {
  leavesNothing(() => {
    fovea.scope(() => {
      const inner = fovea.scope(() => [fovea.tensor([1]), fovea.tensor([2])]);
      assert.equal(inner[1]!.data[0], 2);
      return 'nothing';
    });
  });
});

test('a view that is returned keeps its memory and owns it from then on', () => {
  leavesNothing(() => {
    const row = fovea.scope(() =>
      fovea
        .tensor([
          [1, 2],
          [3, 4],
        ])
        .slice(0, 1),
    );
    assert.deepEqual([...row.data], [3, 4]);
    row.dispose();
  });
});

test('a view of what was made outside does not become its owner: the memory goes with the Tensor outside', () => {
  leavesNothing(() => {
    const x = fovea.tensor([[1], [2]]);
    const row = fovea.scope(() => x.slice(0, 1));
    x.dispose();
    assert.ok(row.disposed);
  });
});

test('a Tensor disposed inside is no trouble', () => leavesNothing(() => fovea.scope(() => fovea.tensor([1]).dispose())));

test('scope frees all when its function throws', () => {
  leavesNothing(() => {
    assert.throws(
      () =>
        fovea.scope(() => {
          fovea.tensor([1]);
          throw new RangeError('mine');
        }),
      /mine/,
    );
  });
  works();
});

test('an async function is an option error, before it runs or when its promise is seen', () => {
  let ran = false;
  fails('option', /scope: an async function goes on after scope has ended/, () =>
    fovea.scope(async () => {
      ran = true;
    }),
  );
  assert.ok(!ran);
  fails('option', /async/, () =>
    fovea.scope(() => {
      const x = fovea.tensor([1]);
      return Promise.reject(new Error('unseen')).then(() => x);
    }),
  );
  fails('value', /scope: fn must be a function, got 3/, () => fovea.scope(3 as never));
});

test('every function, every mechanism and every module in a scope leaves nothing behind', () => {
  const modules = PUBLIC_CALLS.filter(({ name }) => name.startsWith('nn '));
  assert.ok(modules.length > 15);
  for (const { name, leave } of modules) assert.ok(leave !== undefined, name);
  for (const { name, args, run, leave } of [...PUBLIC_CALLS, ...MECHANISM_CALLS]) {
    for (const call of leave === undefined ? [run] : [run, leave]) {
      const before = fovea.memory().live;
      fovea.scope(() => void call(fovea, ...(args() as never[])));
      assert.equal(fovea.memory().live, before, name);
    }
  }
});

test('what a decoder keeps from step to step lives as long as its weights', () => {
  const options = { vocabSize: 5, numLayers: 1, dModel: 4, nHead: 2, dimFeedforward: 3, seed: 1 };
  leavesNothing(() => {
    const cache = kvCache(fovea, { kvHeads: 2, width: 2, capacity: 32 });
    const step = (decoder: CausalDecoder): number[] => [...decoder.next([cache.length % 5], { caches: [cache] }).data];
    const decoder = fovea.scope(() => {
      const made = new CausalDecoder(fovea, options);
      for (let n = 0; n < 4; n++) step(made);
      return made;
    });
    const held = fovea.memory().live;
    fovea.scope(() => void step(decoder));
    assert.equal(fovea.memory().live, held, 'a scope around a step frees nothing of the decoder');
    // Other weights: the step is planned anew, and gives what a decoder of these weights gives.
    const other = new CausalDecoder(fovea, { ...options, seed: 2 });
    decoder.loadStateDict(other.stateDict());
    const want = step(other);
    cache.truncate(cache.length - 1);
    assert.deepEqual(step(decoder), want);
    for (const one of [decoder, other, cache]) one.dispose();
  });
});

test('a scope leaves caches and states to their makers', () => {
  leavesNothing(() => {
    const makers = [
      () => kvCache(fovea, { kvHeads: 1, width: 2, capacity: 8 }),
      () => linearState(fovea, { kvHeads: 1, width: 2 }),
    ];
    for (const make of makers) {
      const made: { dispose(): void; readonly disposed: boolean }[] = [];
      fovea.scope(() => void made.push(make()));
      assert.equal(made[0]!.disposed, false);
      made[0]!.dispose();
    }
  });
});
