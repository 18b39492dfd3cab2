/** Images and speech in the catalog: what holds beyond the claims. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested, type NDArray } from 'fovea';
import { list, run, type Arguments } from 'fovea/catalog';
import { fovea, near } from '../support/api.ts';

type Image = number[][][];
const defaultsOf = (id: string) => list().find((entry) => entry.id === id)!.defaults;
const results = (id: string, inputs?: Arguments, params?: Arguments, options?: Arguments) =>
  run(fovea, id, inputs, params, options) as unknown as Record<string, NDArray>;

test('image: attention of the pixels as rows, each by the same matrices', () => {
  const { inputs, params, options } = defaultsOf('image_self_attention');
  const pixels = (inputs['image'] as Image).flat();
  const { output, weights } = fovea.selfAttention(pixels, params as never, { ...options, heads: 1, returnWeights: true });
  const { outputTokens, weights: found } = results('image_self_attention');
  near(outputTokens, toNested(output), 1e-6);
  near(found, toNested(weights), 1e-6);
});

test('image: in raw numbers dark red looks at white', () => {
  const raw = [[[2, 0, 0], [1, 0, 0], [3, 3, 3]]].map((row) => row.map((color) => color.map((x) => x / 3))); // prettier-ignore
  const [, dark] = (toNested(results('image_self_attention', { image: raw })['weights']!) as Image)[0]!;
  const [red, own, white] = dark as [number, number, number];
  assert.ok(white > red && red > own, `${dark}`);
  // Scores are products: 1/3, 2/9 and 1/9 of white, red and itself, shares of 0.50, 0.33 and 0.17.
  const scores = raw[0]!.map((color) => color.reduce((sum, x, n) => sum + x * raw[0]![1]![n]!, 0));
  const total = scores.reduce((a, b) => a + b, 0);
  [0.33, 0.17, 0.5].forEach((share, n) => assert.ok(Math.abs(scores[n]! / total - share) < 0.005));
});

test('convolution: nine heads give the sums of the kernel, and blur as alpha falls', () => {
  const { inputs, params } = defaultsOf('convolution_attention');
  const [image, W] = [inputs['image'] as Image, params['W'] as number[][][][]];
  const expected = image.map((row, y) =>
    row.map((_, x) => [
      W.flatMap((taps, a) => taps.map((tap, c) => tap[0]![0]! * (image[y + a - 1]?.[x + c - 1]?.[0] ?? 0))).reduce(
        (sum, term) => sum + term,
        0,
      ),
    ]),
  );
  near(results('convolution_attention')['output'], expected, 1e-5);
  const errors = [8, 4, 2, 1, 0.5].map((alpha) => {
    const { output, convolution } = results('convolution_attention', undefined, undefined, { alpha });
    return Math.max(...output!.data.map((sum, n) => Math.abs(sum - convolution!.data[n]!)));
  });
  errors.slice(1).forEach((error, n) => assert.ok(error > errors[n]!, errors.join(' ')));
});

test('speech: a second at 16 kHz has 98 frames', () => {
  const identity = [
    [1, 0],
    [0, 1],
  ];
  const params = { Wf: Array.from({ length: 400 }, () => [0.01, 0.02]), Wq: identity, Wk: identity, Wv: identity };
  const { frames } = results('speech_self_attention', { signal: new Array<number>(16_000).fill(1) }, params, {
    sampleRate: 16_000,
  });
  assert.deepEqual(frames!.shape, [98, 400]);
});

test('speech: pairs that are counted are weights above 0', () => {
  const { complexity } = list().find((entry) => entry.id === 'speech_self_attention')!;
  const kept = results('speech_self_attention')['weights']!.data.filter((weight) => weight > 0).length;
  assert.equal(complexity.pairs(complexity.sizes), kept);
});
