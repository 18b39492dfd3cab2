/** The exit codes of `fovea`, and the errors that lead to them. */

export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** The command line itself is wrong: exit code 2. */
export class UsageError extends Error {}

/** A file or a computation failed for a reason that the message tells in full: exit code 1. */
export class FailureError extends Error {}

/** The one line that a person reads, without a stack. */
export function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words.split('\n')[0] ?? words;
}

/** The exit code of whatever was thrown. */
export function exitCodeOf(error: unknown): number {
  return error instanceof UsageError ? EXIT.usage : EXIT.failed;
}
