/** `fovea doctor`: what this runtime can do, and which variant `load` takes. */
import { availableParallelism, cpus } from 'node:os';
import { load, type Fovea, type LoadOptions, type Variant } from 'fovea';
import { isSet, readCommandLine } from './command_line.ts';
import { EXIT, wordsOf } from './failure.ts';
import { print, table } from './output.ts';
import { writeJson } from './text_formats.ts';

export const doctorUsage = `fovea doctor

Loads each variant of the WebAssembly core, computes a small attention with it and checks the numbers; then says what load() takes
here by default, with threads and with deterministic, and why. Exit code 1 where no variant works.`;

const VARIANTS: readonly Variant[] = ['relaxed', 'simd128', 'relaxed-threads', 'simd128-threads'];

const CHOICES: Readonly<Record<string, LoadOptions>> = {
  'load()': {},
  "load({ threads: 'auto' })": { threads: 'auto' },
  'load({ deterministic: true })': { deterministic: true },
};

interface Finding {
  readonly works: boolean;
  readonly says: string;
}

export async function doctor(args: readonly string[]): Promise<number> {
  const given = readCommandLine(args, {}, 0);
  if (isSet(given, 'help')) {
    print(doctorUsage);
    return EXIT.done;
  }
  const runtime = {
    runtime: `Node ${process.versions.node}, V8 ${process.versions.v8}`,
    machine: `${process.platform} ${process.arch}, ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} threads at once`,
  };
  const variants: Record<string, Finding> = {};
  for (const variant of VARIANTS) variants[variant] = await tryLoad({ variant }, () => 'works');
  const choices: Record<string, Finding> = {};
  for (const [call, options] of Object.entries(CHOICES))
    choices[call] = await tryLoad(options, (fovea) => reasonOf(fovea, options));
  const healthy = Object.values(variants).some(({ works }) => works);
  if (isSet(given, 'json')) print(writeJson({ healthy, ...runtime, variants, choices }, 2));
  else print(report(runtime, variants, choices));
  return healthy ? EXIT.done : EXIT.failed;
}

function report(runtime: object, variants: Record<string, Finding>, choices: Record<string, Finding>): string {
  const marked = (findings: Record<string, Finding>) =>
    Object.entries(findings).map(([name, { works, says }]) => [works ? 'yes' : 'no', name, says]);
  return [
    table(Object.entries(runtime)),
    '',
    'builds of the core',
    table(marked(variants)),
    '',
    'load() takes here',
    table(marked(choices)),
  ].join('\n');
}

/** Which build it is, and why this one. */
function reasonOf({ info }: Fovea, { threads, deterministic }: LoadOptions): string {
  const build = `${info.variant}, ${info.threads} ${info.threads === 1 ? 'thread' : 'threads'}`;
  if (deterministic === true) return `${build}: plain SIMD gives the same bytes in every engine`;
  const tier = info.variant.startsWith('relaxed') ? 'this engine has relaxed SIMD' : 'this engine has no relaxed SIMD';
  return `${build}: ${tier}${threads === undefined ? '' : `; ${info.fallbackReason ?? `of ${availableParallelism()} processors at most 8 are used`}`}`;
}

/** A core that loads must also compute: one query between two keys, whose weights are softmax([1, 0] / √2). */
async function tryLoad(options: LoadOptions, words: (fovea: Fovea) => string): Promise<Finding> {
  let fovea: Fovea | undefined;
  try {
    fovea = await load(options);
    const [first, second] = fovea.attention(
      [[1, 0]],
      [
        [1, 0],
        [0, 1],
      ],
      [
        [1, 2],
        [3, 4],
      ],
    ).output.data;
    const right = near(first, 1.6604768) && near(second, 2.6604768);
    return right ? { works: true, says: words(fovea) } : { works: false, says: `it computes wrongly: ${first}, ${second}` };
  } catch (error) {
    return { works: false, says: wordsOf(error).replace(/^load: /, '') };
  } finally {
    fovea?.dispose();
  }
}

function near(got: number | undefined, want: number): boolean {
  return got !== undefined && Math.abs(got - want) <= 1e-5;
}
