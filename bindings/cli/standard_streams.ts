/** stdin and stdout as files: `-` in place of a file's name, with the format that `--from` or `--to` gives. */
import { buffer } from 'node:stream/consumers';
import { textOf, type Given } from './command_line.ts';
import { UsageError } from './failure.ts';
import type { Progress } from './output.ts';

export const STDIO = '-';

/** The formats of `--input`, `--param` and `--output`, as the endings of files. */
export const FORMATS = ['.npy', '.safetensors', '.csv', '.json'] as const;
export type Format = (typeof FORMATS)[number];

/** The format that `--from` or `--to` names; undefined where it is not given. */
export function streamFormat(given: Given, option: 'from' | 'to'): Format | undefined {
  const text = textOf(given, option);
  if (text === undefined) return undefined;
  const format = FORMATS.find((one) => one === `.${text.toLowerCase()}`);
  if (format === undefined) throw new UsageError(`--${option} must be one of ${formatNames()}, got '${text}'`);
  return format;
}

export const formatNames = (): string => FORMATS.map((one) => one.slice(1)).join(', ');

/** stdin, which one argument can read. */
export class Stdin {
  readonly #format: Format | undefined;
  readonly #progress: Progress;
  #isRead = false;

  constructor(given: Given, progress: Progress) {
    this.#format = streamFormat(given, 'from');
    this.#progress = progress;
  }

  /** @throws UsageError without `--from`, and for a second argument that reads stdin. */
  async read(flag: string): Promise<{ readonly format: Format; readonly bytes: Uint8Array }> {
    if (this.#format === undefined)
      throw new UsageError(`${flag} ${STDIO} reads stdin: --from says its format, ${formatNames()}`);
    if (this.#isRead) throw new UsageError(`${flag}: stdin is read by another argument already; only one can be ${STDIO}`);
    this.#isRead = true;
    if (process.stdin.isTTY) this.#progress('reads stdin until its end (Ctrl-D)');
    return { format: this.#format, bytes: await buffer(process.stdin) };
  }

  /** @throws UsageError where `--from` was given for nothing. */
  checkRead(): void {
    if (this.#format !== undefined && !this.#isRead)
      throw new UsageError(`--from is the format of stdin, and no argument reads it: write --input NAME=${STDIO}`);
  }
}

/** Resolves when all of it is handed on. Where that fails, as with a reader that has gone, main.ts ends the program. */
export function writeToStdout(content: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(content, () => resolve());
  });
}
