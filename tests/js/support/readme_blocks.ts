/** The programs of README.md and what it says that they print. */

export interface ReadmeProgram {
  /** Line of README.md on which the code begins. */
  readonly line: number;
  readonly code: string;
  /** The ```text block that follows with nothing between, if any. */
  readonly output: string | undefined;
  /** The text after `//` on a line that prints, in order. */
  readonly remarks: readonly string[];
  /** The name of the file that it is, where it is a worker's module, which its first line says. */
  readonly worker: string | undefined;
}

export function readPrograms(markdown: string): ReadmeProgram[] {
  const fences = /^```js\n(?<code>[^]*?)^```\n(?:\s*^```text\n(?<output>[^]*?)^```\n)?/gm;
  return [...markdown.matchAll(fences)].map((found) => {
    const code = found.groups?.['code'] ?? '';
    return {
      line: markdown.slice(0, found.index).split('\n').length + 1,
      code,
      output: found.groups?.['output'],
      remarks: [...code.matchAll(/^\s*console\.log\(.*\); \/\/ (.*)$/gm)].map((remark) => remark[1] as string),
      worker: code.match(/^\/\/ ([\w.]+\.worker\.js)$/m)?.[1],
    };
  });
}

const number = /-?\d+(?:\.\d+)?(?:e[-+]\d+)?/g;

/** One text for all ways to lay out the same values: `[ 1, 2 ]` and `[1, 2]` are equal. */
export function withoutLayout(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/([[{(]) | (?=[\]})])/g, '$1')
    .trim();
}

/** Equal but for layout, and for numbers that differ by at most `tolerance`. */
export function samePrint(got: string, want: string, tolerance: number): boolean {
  const words = (text: string) => withoutLayout(text).replace(number, '#');
  const numbers = (text: string) => (text.match(number) ?? []).map(Number);
  const expected = numbers(want);
  return words(got) === words(want) && numbers(got).every((x, i) => Math.abs(x - (expected[i] as number)) <= tolerance);
}
