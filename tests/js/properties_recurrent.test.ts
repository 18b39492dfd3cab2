/** Recurrent layers of random sizes: lengths are sequences of their own, and steps that pass the state on are one call. */
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { NDArray } from 'fovea';
import { gru, lstm, rnn, type LstmResult, type RecurrentParams, type RecurrentState } from 'fovea/ops';
import { assertSameBits } from './support/truth_bounds.ts';
import { loadForTests } from './support/truth_instance.ts';
import { RUNS, SEED } from './support/truth_problems.ts';
import { TestRandom } from './support/truth_random.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());

const LAYERS = { rnn, gru, lstm };
const GATES = { rnn: 1, gru: 3, lstm: 4 };
type Cell = keyof typeof LAYERS;

interface Recipe {
  readonly cell: Cell;
  readonly seed: number;
  readonly B: number;
  readonly T: number;
  readonly I: number;
  readonly Hd: number;
  readonly layers: number;
  readonly both: boolean;
}

const recipes: fc.Arbitrary<Recipe> = fc.record({
  cell: fc.constantFrom<Cell>('rnn', 'gru', 'lstm'),
  seed: fc.integer({ min: 1, max: 2 ** 30 }),
  B: fc.constantFrom(1, 1, 2, 3, 5),
  T: fc.constantFrom(1, 2, 3, 9),
  I: fc.constantFrom(1, 2, 5),
  Hd: fc.constantFrom(1, 3, 5, 8, 17),
  layers: fc.constantFrom(1, 1, 2, 3),
  both: fc.boolean(),
});

interface Built {
  readonly x: NDArray;
  readonly params: RecurrentParams;
  readonly state: RecurrentState<NDArray>;
  readonly run: (x: NDArray, options: object) => LstmResult;
}

function build({ cell, seed, B, T, I, Hd, layers }: Recipe, suffixes: readonly string[]): Built {
  const random = new TestRandom(seed);
  const made: Record<string, NDArray> = {};
  const rows = GATES[cell] * Hd;
  for (let layer = 0; layer < layers; layer++)
    for (const suffix of suffixes) {
      made[`weight_ih_l${layer}${suffix}`] = random.normals([rows, layer === 0 ? I : suffixes.length * Hd], 0.5);
      made[`weight_hh_l${layer}${suffix}`] = random.normals([rows, Hd], 0.5);
      made[`bias_hh_l${layer}${suffix}`] = random.normals([rows], 0.3);
    }
  const params = made as RecurrentParams;
  const shape = [layers * suffixes.length, B, Hd];
  const state = { hidden: random.normals(shape), ...(cell === 'lstm' ? { cell: random.normals(shape) } : {}) };
  const run = (x: NDArray, options: object): LstmResult => LAYERS[cell](fovea, x, params, options) as LstmResult;
  return { x: random.normals([B, T, I]), params, state, run };
}

/** Tokens [from, to) of sequences [first, last). */
function part({ data, shape }: NDArray, [first, last]: [number, number], [from, to]: [number, number]): NDArray {
  const [, T, W] = shape as [number, number, number];
  const rows: number[] = [];
  for (let b = first; b < last; b++) rows.push(...data.subarray((b * T + from) * W, (b * T + to) * W));
  return { data: Float32Array.from(rows), shape: [last - first, to - from, W] };
}

/** Sequence b of states [layers · directions, B, Hd]. */
const ofSequence = (state: RecurrentState<NDArray>, b: number): RecurrentState<NDArray> =>
  Object.fromEntries(
    Object.entries(state as Record<string, NDArray>).map(([name, { data, shape }]) => {
      const [n, B, W] = shape as [number, number, number];
      return [name, part({ data, shape: [n, B, W] }, [0, n], [b, b + 1])];
    }),
  );

test('a padded sequence gives what it gives alone', () => {
  const withLengths = recipes.chain((recipe) =>
    fc.tuple(
      fc.constant(recipe),
      fc.array(fc.integer({ min: 0, max: recipe.T }), { minLength: recipe.B, maxLength: recipe.B }),
    ),
  );
  fc.assert(
    fc.property(withLengths, ([recipe, lengths]) => {
      const { x, state, run } = build(recipe, recipe.both ? ['', '_reverse'] : ['']);
      const whole = run(x, { lengths, initialState: state });
      for (let b = 0; b < recipe.B; b++) {
        const alone = run(part(x, [b, b + 1], [0, lengths[b]!]), { initialState: ofSequence(state, b) });
        assertSameBits(part(whole.output, [b, b + 1], [0, lengths[b]!]).data, alone.output.data, `output ${b}`);
        const rest = part(whole.output, [b, b + 1], [lengths[b]!, recipe.T]).data;
        assertSameBits(rest, new Float32Array(rest.length), `padding ${b}`);
        for (const name of ['hidden', 'cell'] as const)
          if (whole[name] !== undefined)
            assertSameBits(ofSequence({ [name]: whole[name] }, b)[name]!.data, alone[name].data, `${name} ${b}`);
      }
    }),
    { numRuns: Math.ceil(100 * RUNS), seed: SEED },
  );
});

test('parts of a sequence, the state passed on, give what the whole gives', () => {
  fc.assert(
    fc.property(recipes, fc.double({ min: 0, max: 1, noNaN: true }), (recipe, share) => {
      const { x, state, run } = build(recipe, ['']);
      const cut = Math.round(share * recipe.T);
      const whole = run(x, { initialState: state });
      const { output: first, ...between } = run(part(x, [0, recipe.B], [0, cut]), { initialState: state });
      const second = run(part(x, [0, recipe.B], [cut, recipe.T]), { initialState: between });
      assertSameBits(part(whole.output, [0, recipe.B], [0, cut]).data, first.data, 'before the cut');
      assertSameBits(part(whole.output, [0, recipe.B], [cut, recipe.T]).data, second.output.data, 'after the cut');
      assertSameBits(second.hidden.data, whole.hidden.data, 'hidden');
      if (recipe.cell === 'lstm') assertSameBits(second.cell.data, whole.cell.data, 'cell');
    }),
    { numRuns: Math.ceil(100 * RUNS), seed: SEED },
  );
});
