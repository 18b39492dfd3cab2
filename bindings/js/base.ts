/** What shared.js, the entries beside it and the calling side of a worker need alike, built once: an AttentionError is one class, whoever made it. */
export * from './arrays.ts';
export * from './errors.ts';
export * from './options.ts';
export * from './programs.ts';
export * from './reachable.ts';
export * from './shapes.ts';
