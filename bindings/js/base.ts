/** What shared.js and the calling side of a worker both need, built once: an AttentionError is one class, whoever made it. */
export * from './arrays.ts';
export * from './errors.ts';
export * from './options.ts';
export * from './reachable.ts';
export * from './shapes.ts';
