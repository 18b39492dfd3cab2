/** The laboratory's counts, predictions and comparisons; its clock is tested where a page runs it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { build } from 'esbuild';
import { load, type Fovea } from 'fovea';
import { approximation } from 'fovea/linear-attention';
import { pattern } from 'fovea/pattern';
import type { functions, Quality } from '../../web/laboratory/job.ts';
import type * as Limits from '../../web/laboratory/limit.ts';
import type * as Methods from '../../web/laboratory/methods.ts';
import type * as Plan from '../../web/laboratory/plan.ts';
import type * as Ranks from '../../web/laboratory/rank.ts';
import type * as Scripts from '../../web/laboratory/script.ts';
import { powerOf, tokensOf } from '../../web/laboratory/axes.ts';
import { scriptRunner } from './support/printed_script.ts';
import { root } from './support/repository.ts';

type Page = typeof Limits & typeof Methods & typeof Plan & typeof Ranks & typeof Scripts & { functions: typeof functions };

describe('laboratory', () => {
  let page: Page;
  let fovea: Fovea;

  before(async () => {
    const outfile = `${root}/build/tests/laboratory.mjs`;
    await build({
      stdin: {
        contents: [
          ...['limit', 'methods', 'plan', 'rank', 'script'].map((file) => `export * from './web/laboratory/${file}.ts';`),
          "export { functions } from './web/laboratory/job.ts';",
        ].join('\n'),
        resolveDir: root,
        loader: 'ts',
      },
      outfile,
      bundle: true,
      format: 'esm',
      packages: 'external',
      logLevel: 'error',
    });
    [page, fovea] = await Promise.all([import(outfile) as Promise<Page>, load({ deterministic: true })]);
  });
  after(() => fovea.dispose());

  const quality = (id: string, n: number): Quality => page.functions.quality(fovea, { id: id as never, n });
  const counted = (id: string, n: number) => page.costOf(fovea, page.methodOf(id), n);

  test('axes say tokens and powers of ten, not logarithms', () => {
    assert.deepEqual([6, 10, 16].map(tokensOf), ['64', '1,024', '65,536']);
    assert.deepEqual([6, 10, -1, 0].map(powerOf), ['10⁶', '10¹⁰', '10⁻¹', '10⁰']);
    assert.equal(powerOf(Math.log10(262144)), '262,000');
  });

  test('what is counted is what the patterns keep', () => {
    const n = 256;
    const kept = {
      local: pattern.local(32),
      sparse: pattern.strided(16),
      longformer: pattern.longformer({ window: 64, globalTokens: [0] }),
    };
    for (const [id, own] of Object.entries(kept))
      assert.equal(Math.round(own.density(fovea, { queries: n, keys: n }) * n * n), counted(id, n).pairs, id);
  });

  test('errors are those of the package’s own approximation; the exact one has none', () => {
    const n = 128;
    const x = { data: page.tokens(n), shape: [n, page.WIDTH] };
    const expected = {
      local: approximation(fovea, x, x, x, { pattern: pattern.local(32) }),
      sparse: approximation(fovea, x, x, x, { pattern: pattern.strided(16), causal: true }),
      linear: approximation(fovea, x, x, x, { linear: { featureMap: 'elu1' } }),
      performer: approximation(fovea, x, x, x, { linear: { featureMap: 'favor+', features: 128, seed: 1 } }),
    };
    for (const [id, { relativeFrobenius }] of Object.entries(expected))
      assert.ok(Math.abs(quality(id, n).error - relativeFrobenius) < 1e-5 * Math.max(1, relativeFrobenius), id);
    assert.equal(quality('full', n).error, 0);
  });

  test('ranks: no more than the features, or than the mixtures, and of a window all', () => {
    const n = 256;
    assert.equal(quality('linear', n).rank, page.WIDTH);
    assert.equal(quality('efficient', n).rank, page.WIDTH);
    assert.equal(quality('linformer', n).rank, 64);
    assert.equal(quality('performer', n).rank, 128);
    assert.equal(quality('local', n).rank, n);
  });

  test('the rank of small matrices by hand', () => {
    assert.equal(page.rankOf([1, 2, 2, 4], 2), 1);
    assert.equal(page.rankOf([0, 1, 1, 0], 2), 2);
    assert.equal(page.rankOf([0, 0, 0, 0], 2), 0);
    assert.equal(page.rankOf([1, 0, 0, 0, 1, 0, 1, 1, 1e-9], 3), 2);
  });

  test('a method stops where its next call is predicted to hurt, by counted work and by memory', () => {
    const { LONGEST_CALL, MOST_BYTES } = page;
    const full = page.methodOf('full');
    const linear = page.methodOf('linear');
    const last = { n: 4096, median: LONGEST_CALL / 3 };
    assert.deepEqual(page.stopOf(fovea, full, 8192, last), { at: 8192, reason: 'time', predicted: (LONGEST_CALL * 4) / 3 });
    assert.equal(page.stopOf(fovea, linear, 8192, last), null);
    assert.equal(page.stopOf(fovea, full, 8192, { ...last, median: LONGEST_CALL / 5 }), null);
    assert.equal(page.stopOf(fovea, full, 256, null), null);
    const tooMany = 2 ** Math.ceil(Math.log2(MOST_BYTES / page.WIDTH / 4));
    assert.equal(page.stopOf(fovea, linear, tooMany, null)?.reason, 'memory');
    assert.equal(page.stopOf(fovea, linear, page.MOST_TIMED, null), null);
  });

  test('every method runs over the lengths of the picture and gives an output for each token', () => {
    for (const method of page.METHODS) {
      const n = 256;
      const { shape } = fovea.scope(() => {
        const x = fovea.tensor({ data: page.tokens(n), shape: [n, page.WIDTH] });
        return page
          .ready(
            fovea,
            method,
            n,
            (tensor) => tensor,
          )(x, x)
          .toArray();
      });
      assert.deepEqual(shape, [n, page.WIDTH], method.id);
      assert.ok(Number.isSafeInteger(counted(method.id, page.MOST_TIMED).multiplyAdds), method.id);
    }
    assert.deepEqual(page.lengthsTo(256, 1024), [256, 512, 1024]);
    assert.deepEqual(page.tokens(64), page.tokens(64));
  });

  test('the script for Node prints what is counted and how far each method is from the exact one', async () => {
    const printedBy = scriptRunner('laboratory');
    for (const ids of [page.METHODS.map(({ id }) => id), ['full'], ['linear', 'sparse'], ['reformer']] as const) {
      const printed = await printedBy(page.laboratoryScript(ids, 4096, page.QUALITY_TOKENS));
      assert.equal(printed.size, 3 * ids.length);
      for (const id of ids) {
        assert.equal(printed.get(`pairs of ${id}`), counted(id, 4096).pairs, id);
        assert.equal(printed.get(`multiply-adds of ${id}`), counted(id, 4096).multiplyAdds, id);
        const { error } = quality(id, page.QUALITY_TOKENS);
        assert.ok(Math.abs((printed.get(`error of ${id}`) as number) - error) <= 1e-12 * error, id);
      }
    }
  });

  test('the published curve is that of the run whose rates bench/README.md tells', () => {
    const published = JSON.parse(readFileSync(`${root}/web/laboratory/published.json`, 'utf8')) as {
      readonly heads: number;
      readonly width: number;
      readonly tokens: readonly number[];
      readonly packages: readonly { readonly name: string; readonly milliseconds: readonly (number | null)[] }[];
    };
    const told = /!\[GFLOP\/s of attention[^\]]*\]/.exec(readFileSync(`${root}/bench/README.md`, 'utf8'))![0];
    for (const { name, milliseconds } of published.packages) {
      const rates = milliseconds.flatMap((ms, i) =>
        ms === null ? [] : [(4 * published.heads * published.width * published.tokens[i]! ** 2) / ms / 1e6],
      );
      const [least, most] = [Math.min(...rates), Math.max(...rates)].map(Math.round);
      assert.ok(told.includes(`${name} ${least} to ${most}`), `${name} ${least} to ${most} is not in: ${told}`);
    }
  });

  test('the loop of the limit multiplies and adds what it says, in both instructions', async () => {
    const expected = (rounds: number): number => {
      let x = 0;
      for (let step = 0; step < 4 * rounds; step++) x = Math.fround(Math.fround(x * 0.5) + 1);
      return 12 * x;
    };
    for (const isRelaxed of [false, true]) {
      const run = await page.loadLimit(isRelaxed);
      if (isRelaxed && !run) continue;
      for (const rounds of [1, 2, 5]) assert.ok(Math.abs(run!(rounds, 0.5, 1) - expected(rounds)) < 1e-5, `${rounds}`);
    }
    const { gflops } = await page.measureLimit(false);
    assert.ok(gflops > 0.5 && gflops < 1000, `${gflops} GFLOP/s`);
  });
});
