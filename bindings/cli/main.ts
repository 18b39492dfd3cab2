/** The program `fovea`: attention from the command line. */
import { readFileSync } from 'node:fs';
import { bench, benchUsage } from './bench.ts';
import { doctor, doctorUsage } from './doctor.ts';
import { EXIT, exitCodeOf, UsageError, wordsOf } from './failure.ts';
import { list, listUsage } from './list.ts';
import { print } from './output.ts';
import { run, runUsage } from './run.ts';

const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<number | void> | void>> = {
  run,
  list,
  bench,
  doctor,
};

const firstLine = (text: string) => text.split('\n')[0];

const usage = `fovea: every attention mechanism, computed on the CPU.

  ${[runUsage, listUsage, benchUsage, doctorUsage].map(firstLine).join('\n  ')}

  --help     of a command: what it takes
  --json     results as JSON on stdout
  --quiet    no progress on stderr
  --version

Exit codes: 0 done, 1 a file or the computation failed, 2 the command line is wrong.`;

async function main([command, ...args]: readonly string[]): Promise<number> {
  if (command === undefined || command === '--help' || command === '-h' || command === 'help') {
    print(usage);
    return command === undefined ? EXIT.usage : EXIT.done;
  }
  if (command === '--version' || command === '-v') {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
    print(version);
    return EXIT.done;
  }
  const chosen = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (chosen === undefined)
    throw new UsageError(`there is no command '${command}'; there are ${Object.keys(COMMANDS).join(', ')}`);
  return (await chosen(args)) ?? EXIT.done;
}

// A reader that has seen enough, as `head`, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.done);
  process.stderr.write(`fovea: stdout cannot be written: ${wordsOf(error)}\n`);
  process.exit(EXIT.failed);
});

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`fovea: ${wordsOf(error)}\n`);
    if (error instanceof UsageError) process.stderr.write("'fovea --help' tells more\n");
    process.exitCode = exitCodeOf(error);
  },
);
