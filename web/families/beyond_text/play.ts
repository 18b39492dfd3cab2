/** Plays samples through the loudspeaker, loudest at half of what it can; nothing sounds before this is called. */
export function play(samples: readonly number[], sampleRate: number): void {
  const context = new AudioContext();
  const buffer = context.createBuffer(1, samples.length, sampleRate);
  const loudest = Math.max(1e-9, ...samples.map(Math.abs));
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
