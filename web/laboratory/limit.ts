/**
 * The multiply-adds of one core in WebAssembly SIMD at most: a loop over twelve chains of x ← x·a + b that touches no memory, as in
 * bench/limits, written here as the bytes of a module.
 */

const [CHAINS, UNROLLED, LANES] = [12, 4, 4];
const FLOPS_PER_ROUND = CHAINS * UNROLLED * LANES * 2;
const [I32, F32, V128, VOID] = [0x7f, 0x7d, 0x7b, 0x40];
const [GET, SET, I32_CONST] = [0x20, 0x21, 0x41];
const SPLAT = [0xfd, 0x13];
const LANE_0 = [0xfd, 0x1f, 0];
const ADD = [0xfd, 0xe4, 0x01];
const MULTIPLY = [0xfd, 0xe6, 0x01];
const RELAXED_MADD = [0xfd, 0x85, 0x02];

function leb(x: number): number[] {
  return x < 0x80 ? [x] : [(x & 0x7f) | 0x80, ...leb(x >>> 7)];
}
const section = (id: number, bytes: readonly number[]): number[] => [id, ...leb(bytes.length), ...bytes];

/** A module that exports `run(rounds, a, b)`, which gives a number that depends on every chain. */
function moduleBytes(isRelaxed: boolean): Uint8Array<ArrayBuffer> {
  // Locals: 0 the rounds, 1 and 2 the numbers, 3 and 4 these in every lane, then the chains.
  const [factor, summand, first] = [3, 4, 5];
  const chains = Array.from({ length: CHAINS }, (_, c) => first + c);
  const step = (chain: number): number[] => {
    const product = isRelaxed ? [] : MULTIPLY;
    return [GET, chain, GET, factor, ...product, GET, summand, ...(isRelaxed ? RELAXED_MADD : ADD), SET, chain];
  };
  const code = [
    ...[1, ...leb(2 + CHAINS), V128],
    ...[GET, 1, ...SPLAT, SET, factor, GET, 2, ...SPLAT, SET, summand],
    ...[0x03, VOID],
    ...Array.from({ length: UNROLLED }, () => chains.flatMap(step)).flat(),
    ...[GET, 0, I32_CONST, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b],
    ...[GET, first, ...chains.slice(1).flatMap((chain) => [GET, chain, ...ADD]), ...LANE_0, 0x0b],
  ];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 3, I32, F32, F32, 1, F32]),
    ...section(3, [1, 0]),
    ...section(7, [1, 3, 0x72, 0x75, 0x6e, 0, 0]),
    ...section(10, [1, ...leb(code.length), ...code]),
  ]);
}

export interface Limit {
  readonly gflops: number;
  /** Whether products and sums are one instruction. */
  readonly isRelaxed: boolean;
}

type Run = (rounds: number, a: number, b: number) => number;

export async function loadLimit(isRelaxed: boolean): Promise<Run | null> {
  const bytes = moduleBytes(isRelaxed);
  if (!WebAssembly.validate(bytes)) return null;
  return (await WebAssembly.instantiate(bytes)).instance.exports['run'] as Run;
}

/** Some tens of milliseconds of it, after as many in which the engine compiles; the best of several, since a limit is a most. */
export async function measureLimit(wantsRelaxed: boolean): Promise<Limit> {
  const [ROUNDS, TURN, TURNS] = [20000, 12, 6];
  const relaxed = wantsRelaxed ? await loadLimit(true) : null;
  const run = relaxed ?? (await loadLimit(false))!;
  const turn = (): number => {
    const start = performance.now();
    let [rounds, end] = [0, start];
    for (; end < start + TURN; end = performance.now()) {
      run(ROUNDS, 0.5, 1);
      rounds += ROUNDS;
    }
    return (rounds * FLOPS_PER_ROUND) / (end - start) / 1e6;
  };
  for (let n = 0; n < TURNS; n++) turn();
  return { gflops: Math.max(...Array.from({ length: TURNS }, turn)), isRelaxed: relaxed !== null };
}
