// Some packages start as many threads as they think there are processors, and take no other wish.

/** Makes `navigator` tell of `count` processors. */
export function pretendProcessors(count) {
  Object.defineProperty(navigator, 'hardwareConcurrency', { value: count });
}
