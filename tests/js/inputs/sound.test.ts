/** A visitor's sound becomes bands: judged by the discrete Fourier transform written out, in double. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { powerSpectrum } from '../../../web/inputs/sound/fft.ts';
import { BANDS, DECADES, FRAME, hann, hertzOf, logMel, melBank, melOf, RATE } from '../../../web/inputs/sound/mel.ts';
import { soundOf } from '../../../web/inputs/sound/read.ts';
import { sing } from '../../../web/inputs/sound/vowels.ts';

let state = 1;
const noise = (): number => (state = (state * 48271) % 2147483647) / 2147483647 - 0.5;
const samplesOf = (length: number): Float64Array => Float64Array.from({ length }, noise);

/** |Σ x[n] exp(-2πikn / N)|², term by term. */
function definition(samples: ArrayLike<number>, size: number, bin: number): number {
  let [re, im] = [0, 0];
  for (let n = 0; n < samples.length; n++) {
    const angle = (-2 * Math.PI * ((bin * n) % size)) / size;
    re += samples[n]! * Math.cos(angle);
    im += samples[n]! * Math.sin(angle);
  }
  return re * re + im * im;
}

test('the spectrum is that of the definition, for every size and for samples that are fewer', () => {
  for (const [size, length] of [
    [1, 1],
    [2, 2],
    [4, 3],
    [8, 8],
    [64, 51],
    [512, 400],
    [512, 512],
    [1024, 1],
  ] as const) {
    const samples = samplesOf(length);
    const power = powerSpectrum(samples, size);
    assert.equal(power.length, Math.floor(size / 2) + 1);
    const energy = samples.reduce((sum, x) => sum + x * x, 0);
    power.forEach((x, bin) => {
      // A sum of N products, each within an ulp or two, of numbers whose squares add up to the energy.
      const tolerance = 8 * size * Number.EPSILON * energy * Math.sqrt(size);
      assert.ok(Math.abs(x - definition(samples, size, bin)) <= tolerance, `${size}, ${bin}: ${x}`);
    });
  }
  assert.throws(() => powerSpectrum(samplesOf(5), 4), RangeError);
  assert.throws(() => powerSpectrum(samplesOf(5), 6), RangeError);
  // A wrong sign of the turn, or none of the window, would be seen: a tone stands in its own bin alone.
  const tone = Float64Array.from({ length: 64 }, (_, n) => Math.sin((2 * Math.PI * 5 * n) / 64));
  const power = powerSpectrum(tone, 64);
  power.forEach((x, bin) => assert.ok(bin === 5 ? Math.abs(x - 1024) < 1e-9 : x < 1e-20, `${bin}: ${x}`));
});

test('bands are triangles evenly apart in mel, each reaches to its neighbors’ middles', () => {
  for (const hertz of [0, 100, 1000, 8000]) assert.ok(Math.abs(hertzOf(melOf(hertz)) - hertz) < 1e-9);
  const bank = melBank();
  assert.equal(bank.length, BANDS);
  for (const triangle of bank) assert.ok(triangle.some((x) => x > 0) && triangle.every((x) => x >= 0 && x <= 1));
  // Between the first and the last middle, two neighbors add up to 1.
  const [from, to] = [melOf(RATE / 2) / (BANDS + 1), (melOf(RATE / 2) * BANDS) / (BANDS + 1)].map(hertzOf) as [number, number];
  for (let bin = 0; bin <= 256; bin++) {
    const hertz = (bin * RATE) / 512;
    const sum = bank.reduce((total, triangle) => total + triangle[bin]!, 0);
    if (hertz > from && hertz < to) assert.ok(Math.abs(sum - 1) < 1e-12, `${hertz}: ${sum}`);
  }
});

test('log-mel of two frames equals the definition; 80 dB below the loudest is 0', () => {
  const window = hann(FRAME);
  const frames = Float32Array.from({ length: 2 * FRAME }, (_, n) => noise() * window[n % FRAME]! * (n < FRAME ? 1 : 1e-6));
  const { data, width } = logMel({ data: frames, width: FRAME });
  assert.equal(width, BANDS);
  const bank = melBank();
  const logs = [0, 1].map((t) => {
    const power = Array.from({ length: 257 }, (_, bin) => definition(frames.subarray(t * FRAME, (t + 1) * FRAME), 512, bin));
    return bank.map((triangle) => Math.log10(power.reduce((sum, x, bin) => sum + x * triangle[bin]!, 0)));
  });
  const loudest = Math.max(...logs.flat());
  logs.flat().forEach((log, n) => {
    const expected = Math.max(0, 1 + (log - loudest) / DECADES);
    assert.ok(Math.abs(data[n]! - expected) < 1e-6, `${n}: ${data[n]} against ${expected}`);
  });
  assert.ok(
    data.subarray(BANDS).every((x) => x === 0),
    'a millionth of the loudness, 120 dB less',
  );
  assert.equal(Math.max(...data), 1);
});

test('a sound is the mean of its channels, ten seconds at most; what holds nothing is refused', () => {
  const [left, right] = [new Float32Array(FRAME).fill(0.5), new Float32Array(FRAME).fill(-0.25)];
  assert.deepEqual([...soundOf([left, right], 1).samples], Array<number>(FRAME).fill(0.125));
  assert.equal(soundOf([new Float32Array(11 * RATE).fill(0.1)], 11).samples.length, 10 * RATE);
  assert.throws(() => soundOf([new Float32Array(FRAME - 1).fill(1)], 1), /shorter than one frame/);
  assert.throws(() => soundOf([], 0), /shorter than one frame/);
  assert.throws(() => soundOf([new Float32Array(FRAME)], 1), /only silence/);
  assert.deepEqual(soundOf([Float32Array.from({ length: FRAME }, (_, n) => (n === 3 ? NaN : 1))], 1).samples[3], 0);
});

test('vowels have their formants: each is loudest near the first, and i has more above 2 kHz than a', () => {
  const bandsOf = (vowel: 'a' | 'i' | 'u'): Float32Array => {
    const window = hann(FRAME);
    const frame = sing([vowel])
      .slice(1600, 1600 + FRAME)
      .map((x, n) => x * window[n]!);
    return logMel({ data: frame, width: FRAME }).data;
  };
  const middle = (band: number): number => hertzOf((melOf(RATE / 2) * (band + 1)) / (BANDS + 1));
  const loudest = (vowel: 'a' | 'i' | 'u'): number => middle(bandsOf(vowel).indexOf(1));
  for (const [vowel, formant] of [
    ['a', 800],
    ['i', 300],
    ['u', 320],
  ] as const)
    assert.ok(Math.abs(loudest(vowel) - formant) < 130, `${vowel}: ${loudest(vowel)}`);
  const high = (vowel: 'a' | 'i'): number => bandsOf(vowel).reduce((sum, x, band) => sum + (middle(band) > 2000 ? x : 0), 0);
  assert.ok(high('i') > high('a'));
});
