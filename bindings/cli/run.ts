/** `fovea run MECHANISM`: computes a mechanism of the catalog from files, into files. */
import { load } from 'fovea';
import { list, run as runMechanism } from 'fovea/catalog';
import { findEntry, readCall } from './arguments.ts';
import { ARGUMENTS, isSet, listOf, LOADING, loadOptionsOf, readCommandLine } from './command_line.ts';
import { UsageError } from './failure.ts';
import { digits, print, progressOf, table } from './output.ts';
import { nestedOf, readTargets, resultsOf, writeTarget, type Results } from './results.ts';
import { STDIO, streamFormat } from './standard_streams.ts';
import { writeJson, type ResultArray } from './text_formats.ts';

export const runUsage = `fovea run MECHANISM [--input FILE]... [--param FILE]... [--option NAME=VALUE]... [--output FILE]...

Computes a mechanism of the catalog ('fovea list' shows them, 'fovea list MECHANISM' what one takes).

  -i, --input FILE         an input: .npy, .safetensors, .csv or .json. Its name is the file's; NAME=FILE gives another.
                           NAME=JSON is taken as it is: --input task=1. Without inputs the mechanism's own example runs.
  -p, --param FILE         the weights, likewise; dots in names are levels, as in a state dict
  -o, --option NAME=VALUE  an option: JSON, a text, or @FILE for an array: --option causal=true --option mask=@mask.npy
      --output FILE        where results go: .safetensors and .json hold all of them, .npy and .csv the result 'output';
                           NAME=FILE writes another one: --output weights=w.csv
      --from FORMAT        - in place of a FILE of --input, --param or --option NAME=@FILE reads stdin, of this format:
                           npy, safetensors, csv or json
      --to FORMAT          --output - is stdout, in this format; --to alone means that, too
      --trace              every named intermediate is a result, too
      --threads N|auto, --variant NAME, --deterministic   as of load()
      --json               all results on stdout as JSON, unless there is --output`;

export async function run(args: readonly string[]): Promise<void> {
  const given = readCommandLine(
    args,
    {
      ...ARGUMENTS,
      ...LOADING,
      output: { type: 'string', multiple: true },
      to: { type: 'string' },
      trace: { type: 'boolean' },
    },
    1,
  );
  const [name] = given.words;
  if (isSet(given, 'help')) return print(runUsage);
  if (name === undefined) throw new UsageError('run takes the id of a mechanism');
  const entry = findEntry(list(), name);
  const targets = readTargets(listOf(given, 'output'), streamFormat(given, 'to'));
  const writesToStdout = targets.some(({ file }) => file === STDIO);
  if (writesToStdout && isSet(given, 'json'))
    throw new UsageError(`--json and --output ${STDIO} would both write to stdout; --to json gives the results alone`);
  const progress = progressOf(isSet(given, 'quiet'));
  const call = await readCall(entry, given, progress);
  const fovea = await load(loadOptionsOf(given));
  try {
    progress(`${entry.id} runs (${fovea.info.variant}, threads ${fovea.info.threads})`);
    const start = performance.now();
    const computed = runMechanism(fovea, entry.id, call.inputs, call.params, call.options);
    const milliseconds = performance.now() - start;
    progress(`done in ${digits(milliseconds)} ms`);
    const results = resultsOf(computed, isSet(given, 'trace'));
    const written: string[] = [];
    for (const target of targets) {
      const chosen = await writeTarget(target, results);
      written.push(target.file);
      progress(`${target.file === STDIO ? 'stdout' : target.file}: ${[...chosen.keys()].join(', ')}`);
    }
    if (writesToStdout) return;
    const shapes = Object.fromEntries([...results].map(([key, { shape }]) => [key, shape]));
    const about = { mechanism: entry.id, variant: fovea.info.variant, threads: fovea.info.threads, milliseconds, shapes };
    if (isSet(given, 'json'))
      print(writeJson(written.length > 0 ? { ...about, written } : { ...about, results: nestedResults(results) }));
    else print(summary(results));
  } finally {
    fovea.dispose();
  }
}

function nestedResults(results: Results): Record<string, unknown> {
  return Object.fromEntries([...results].map(([key, array]) => [key, nestedOf(array)]));
}

/** Names and shapes, and the numbers of what is small. */
function summary(results: Results): string {
  return table([...results].map(([name, array]) => [name, `[${array.shape.join(', ')}]`, numbersOf(array)]));
}

function numbersOf({ data }: ResultArray): string {
  const few = Array.from(data.subarray(0, 8), digits).join(' ');
  return data.length > 8 ? `${few} …` : few;
}
