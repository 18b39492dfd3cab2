/** Plays samples through the loudspeaker, loudest at half of what it can; nothing sounds before this is called. */
export function play(samples: ArrayLike<number>, sampleRate: number): void {
  const context = new AudioContext();
  const buffer = context.createBuffer(1, samples.length, sampleRate);
  let loudest = 1e-9;
  for (let n = 0; n < samples.length; n++) loudest = Math.max(loudest, Math.abs(samples[n]!));
  buffer.copyToChannel(
    Float32Array.from(samples, (x) => (0.5 * x) / loudest),
    0,
  );
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(context.destination);
  source.onended = () => void context.close();
  source.start();
}
