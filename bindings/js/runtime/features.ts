/** The features of WebAssembly that the builds need, found by letting the engine validate a module of one instruction. */

const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** A vector of zeros: i32.const 0, i8x16.splat. */
const ZEROS = [0x41, 0, 0xfd, 0x0f];
const RELAXED_MADD = [0xfd, 0x85, 0x02];

const validates = (...bytes: number[]): boolean => WebAssembly.validate(Uint8Array.from(bytes));

/** Whether there is a function that returns the vector which `body` leaves on the stack. */
function returnsVector(...body: number[]): boolean {
  const length = body.length + 2;
  return validates(...HEADER, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0, 10, length + 2, 1, length, 0, ...body, 0x0b);
}

/** Whether there is 128-bit SIMD. WebAssembly must be there. */
export const hasSimd = (): boolean => returnsVector(...ZEROS);

/** Whether there is relaxed SIMD. WebAssembly must be there. */
export const hasRelaxedSimd = (): boolean => returnsVector(...ZEROS, ...ZEROS, ...ZEROS, ...RELAXED_MADD);

/** Whether memory can be shared between threads: one page of it. */
export const hasSharedMemory = (): boolean => validates(...HEADER, 5, 4, 1, 3, 1, 1);
