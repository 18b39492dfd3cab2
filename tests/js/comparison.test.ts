/** Which mechanisms are laid side by side: all pairs of the catalog, by the page's rule and by running them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { build } from 'esbuild';
import { load, type Fovea, type TraceStage } from 'fovea';
import { list, run } from 'fovea/catalog';
import type * as Address from '../../web/comparison/address.ts';
import type * as Compared from '../../web/comparison/compared.ts';
import type * as Contracts from '../../web/comparison/contract.ts';
import type * as Pictures from '../../web/comparison/pictures.ts';
import type * as Refusals from '../../web/comparison/refusal.ts';
import type * as Scripts from '../../web/comparison/script.ts';
import type * as Shared from '../../web/comparison/shared_input.ts';
import { scriptRunner, shown } from './support/printed_script.ts';
import { root } from './support/repository.ts';

type Page = typeof Address &
  typeof Compared &
  typeof Contracts &
  typeof Pictures &
  typeof Refusals &
  typeof Scripts &
  typeof Shared;

async function loadPage(): Promise<Page> {
  const outfile = `${root}/build/tests/comparison.mjs`;
  const files = ['address', 'compared', 'contract', 'pictures', 'refusal', 'script', 'shared_input'];
  await build({
    stdin: {
      contents: files.map((file) => `export * from './web/comparison/${file}.ts';`).join('\n'),
      resolveDir: root,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  return (await import(outfile)) as Page;
}

const stage = (name: string, axes: TraceStage['axes'], shape: number[], data: readonly number[]): TraceStage => ({
  name,
  formula: '',
  axes,
  shape,
  data: Float32Array.from(data),
});

describe('comparison', () => {
  let page: Page;
  let fovea: Fovea;
  let all: readonly Contracts.Contract[];
  const of = (id: string): Contracts.Contract => all.find(({ entry }) => entry.id === id)!;

  before(async () => {
    [page, fovea] = await Promise.all([loadPage(), load({ deterministic: true })]);
    all = list().map(page.contractOf);
  });
  after(() => fovea.dispose());

  test('of all 74 × 74 pairs each compares, or says why not in both languages and offers one that does', () => {
    assert.equal(all.length, 74);
    let compared = 0;
    for (const a of all)
      for (const b of all) {
        const pair = `${a.entry.id} and ${b.entry.id}`;
        const refusal = page.refusalBetween(a, b, all);
        assert.equal(refusal === null, page.compares(a, b), pair);
        if (!refusal) {
          compared++;
          continue;
        }
        const { sentence, offer } = refusal;
        assert.match(sentence.en, /^\S.*[.:]$/, pair);
        assert.match(sentence.zh, /\p{Script=Han}.*。$/u, pair);
        assert.doesNotMatch(`${sentence.en}${sentence.zh}`, /undefined|NaN|\[object/, pair);
        assert.ok(page.compares(...offer), `${pair}: ${offer.map(({ entry }) => entry.id).join(', ')} do not compare`);
        const partners = [a, b].filter((one) => page.partnersOf(one, all).length > 0);
        if (partners.length > 0)
          assert.ok(
            partners.some((one) => offer.includes(one)),
            pair,
          );
      }
    assert.ok(compared > 1500, `${compared} pairs compare`);
  });

  test('whatever the rule lets compare runs on the shared input, with a row for each query', () => {
    for (const owner of all) {
      const takers = all.filter((taker) => taker !== owner && page.refusalOf(taker, owner) === null);
      if (takers.length === 0) continue;
      const input = page.sharedInput(fovea, owner);
      for (const taker of takers) {
        const parts = page.partsOf(page.runCompared(fovea, [taker], input), input);
        const pair = `${taker.entry.id} on the input of ${owner.entry.id}`;
        for (const { compared, weights, output, lacks } of parts) {
          assert.equal(compared.error, null, pair);
          assert.equal(weights === null, lacks.includes('weights'), pair);
          for (const matrix of [...(weights?.matrices ?? []), ...(output?.matrices ?? [])])
            assert.equal(matrix.rows, input.queries.length || matrix.rows, pair);
        }
        const [guest] = parts;
        assert.ok(guest!.weights ?? guest!.output, `${pair} has nothing to show`);
      }
    }
  });

  test('what the rule refuses for its shapes does not run either', () => {
    let refused = 0;
    for (const owner of all)
      for (const taker of all) {
        const reason = page.refusalOf(taker, owner);
        if (reason !== 'tokens' && reason !== 'width' && reason !== 'pairs') continue;
        const [guest] = page.runCompared(fovea, [taker], page.sharedInput(fovea, owner));
        assert.notEqual(guest!.error, null, `${taker.entry.id} on the input of ${owner.entry.id}: ${reason}`);
        refused++;
      }
    assert.ok(refused > 20);
  });

  test('guests get the owner’s sequence, its projections where both have them, and one scale', () => {
    const [heads, one] = [of('multi_head'), of('self_attention')];
    const input = page.sharedInput(fovea, heads);
    const { Wq, Wk, Wv } = heads.entry.defaults.params;
    const { inputs, params } = page.argumentsFor(one, input);
    assert.deepEqual([inputs['X'], params], [heads.entry.defaults.inputs['X'], { Wq, Wk, Wv }]);
    const [, guest] = page.runCompared(fovea, [heads, one], input);
    const expected = run(fovea, 'self_attention', inputs, params, { scale: 1 }).trace.find(({ name }) => name === 'weights')!;
    assert.deepEqual(page.weightsOf(guest!.trace)!.matrices[0]!.data, expected.data);
  });

  test('who brings the input is computed as on its own page, with whomever it is compared', () => {
    for (const owner of all.filter((one) => page.partnersOf(one, all).length > 0)) {
      const { id } = owner.entry;
      const partners = page.partnersOf(owner, all).filter((guest) => page.ownersOf([owner, guest]).includes(owner));
      for (const guest of partners) {
        const [own] = page.runCompared(fovea, [owner, guest], page.sharedInput(fovea, owner));
        assert.equal(own!.error, null);
        assert.deepEqual(own!.trace, run(fovea, id).trace, `${id} beside ${guest.entry.id}`);
      }
    }
  });

  test('a guest’s scale is the owner’s where it has one to choose, and its own page’s is told', () => {
    const [self, local, dot] = [of('self_attention'), of('local'), of('dot')];
    const input = page.sharedInput(fovea, self);
    assert.deepEqual(page.argumentsFor(local, input).options, { scale: 1 });
    assert.deepEqual(page.changedScale(local, input), { used: 1, own: 0 });
    assert.deepEqual(page.argumentsFor(dot, input).options, {});
    assert.deepEqual(
      [dot, self].map((one) => page.changedScale(one, input)),
      [null, null],
    );
    assert.deepEqual(page.changedScale(local, page.sharedInput(fovea, of('reformer'))), { used: undefined, own: 0 });
  });

  test('three that compare two by two need one input for all', () => {
    const groups = all.flatMap((a) => [of('additive'), of('bilinear')].map((b) => [a, of('dot'), b]));
    const alone = groups.filter((group) => new Set(group).size === 3 && page.ownersOf(group).length === 0);
    assert.ok(alone.length > 0);
    for (const group of alone) assert.ok(page.compares(...page.refusalOfAll(group, all)!.offer));
    assert.equal(page.refusalOfAll([of('local'), of('bigbird'), of('longformer')], all), null);
  });

  test('entropy, concentration and contributions by hand', () => {
    const weights = { data: Float32Array.of(0.5, 0.5, 1, 0, 0, 0), rows: 3, cols: 2 };
    const { entropy, concentration } = page.spreadOf(weights);
    assert.ok(Math.abs(entropy! - Math.LN2 / 2) < 1e-7, 'the row without weights is left out');
    assert.equal(concentration, 0.75);
    assert.equal(page.spreadOf({ data: Float32Array.of(0.5, 0.25), rows: 1, cols: 2 }).entropy, null);
    assert.deepEqual(Array.from(page.contributions(weights, [2, 4]).data), [1, 2, 2, 0, 0, 0]);
    const values = stage('value', ['head', 'key', 'feature'], [2, 2, 2], [3, 4, 0, 0, 1, 0, 0, 2]);
    assert.deepEqual(page.valueNorms([values]), [
      [5, 0],
      [1, 2],
    ]);
  });

  test('weights by feature and by round are cut apart; those of hops are none', () => {
    const numbers = Array.from({ length: 12 }, (_, n) => n);
    const features = page.weightsOf([stage('weights', ['query', 'key', 'feature'], [2, 2, 3], numbers)])!;
    assert.deepEqual(
      [features.by, ...features.matrices.map(({ data }) => Array.from(data))],
      ['feature', [0, 3, 6, 9], [1, 4, 7, 10], [2, 5, 8, 11]],
    );
    const rounds = page.weightsOf([stage('weights', ['head', 'round', 'query', 'key'], [1, 3, 2, 2], numbers)])!;
    assert.deepEqual([rounds.by, Array.from(rounds.matrices[2]!.data)], ['round', [8, 9, 10, 11]]);
    assert.equal(page.weightsOf([stage('A', ['hop', 'token'], [3, 4], numbers)]), null);
    assert.equal(page.weightsOf([stage('exactWeights', ['query', 'key'], [3, 4], numbers)]), null);
  });

  test('an approximation is compared with what it was made from', () => {
    const group = ['performer', 'linear', 'scaled_dot'].map(of);
    const input = page.sharedInput(fovea, group[0]!);
    const parts = page.partsOf(page.runCompared(fovea, group, input), input);
    const parents = Object.fromEntries(all.map(({ entry }) => [entry.id, entry.parent]));
    assert.equal(page.referenceOf(parts, parents), 2);
    const found = page.differenceOf(parts[0]!, parts[2]!, 0)!;
    const { trace } = run(fovea, 'performer');
    const [exact, weights] = ['exactWeights', 'weights'].map((name) => trace.find((one) => one.name === name)!.data);
    const errors = Array.from(weights!, (w, n) => w - exact![n]!);
    const norm = (x: Iterable<number>): number => Math.hypot(...x);
    assert.equal(found.of, 'weights');
    assert.ok(Math.abs(found.relative - norm(errors) / norm(exact!)) < 1e-6);
  });

  test('an address is read with care', () => {
    const read = (text: string) => page.readComparison(new URLSearchParams(text), all);
    assert.deepEqual(read('with=local,bigbird&view=outputs').chosen, ['local', 'bigbird']);
    assert.equal(read('with=local,bigbird&view=outputs').view, 'outputs');
    assert.deepEqual(read('with=constructor,<b>,local').chosen.slice(0, 1), ['local']);
    assert.equal(read('with=constructor').isUnknown, true);
    assert.equal(read('view=toString').view, 'weights');
    assert.equal(read(`with=${'local,'.repeat(9)}`).chosen.length <= 4, true);
    const [first, partner] = read('with=performer').chosen;
    assert.ok(page.compares(of(first!), of(partner!)));
  });

  test('a comparison as a script prints the numbers of its parts', async () => {
    const printedBy = scriptRunner('comparison');
    const pairs = all.flatMap((a, n) => all.slice(n + 1).map((b) => [a, b]));
    const comparable = pairs.filter((pair) => !page.refusalOfAll(pair, all));
    const few = comparable.filter((_, n) => n % Math.ceil(comparable.length / 15) === 0);
    const sets = [...few, ['scaled_dot', 'linear', 'sparsemax', 'hard'].map(of), ['local', 'longformer', 'bigbird'].map(of)];
    for (const contracts of sets) {
      assert.equal(page.refusalOfAll(contracts, all), null);
      for (const owner of page.ownersOf(contracts)) {
        const input = page.sharedInput(fovea, owner);
        const compared = page.runCompared(fovea, contracts, input);
        const printed = await printedBy(page.comparisonScript(contracts, input));
        for (const { contract, trace, error } of compared) {
          assert.equal(error, null);
          const id = contract.entry.id.replaceAll('_', '-');
          const results = [...printed.keys()].filter((name) => name.startsWith(`${id} `));
          const stages = trace.filter(({ name }) => results.includes(`${id} ${name}`));
          assert.ok(stages.length > 0, `${id} printed ${results.join(', ')}`);
          for (const stage of stages) {
            const value = printed.get(`${id} ${stage.name}`);
            assert.deepEqual(value, shown(stage, value), `${id} of ${owner.entry.id}: ${stage.name}`);
          }
        }
      }
    }
  });
});
