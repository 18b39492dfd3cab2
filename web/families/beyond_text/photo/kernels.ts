/** 3 × 3 kernels, row by row. */
export const KERNELS = {
  vertical: [-1, 0, 1, -2, 0, 2, -1, 0, 1],
  horizontal: [-1, -2, -1, 0, 0, 0, 1, 2, 1],
  blur: [1, 2, 1, 2, 4, 2, 1, 2, 1].map((x) => x / 16),
} as const satisfies Readonly<Record<string, readonly number[]>>;

export type KernelName = keyof typeof KERNELS;
