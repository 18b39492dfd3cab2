/** Which of the models that the page knows a file is, read off its names, its shapes and a config.json. */
import { bert } from './bert.ts';
import { Checkpoint, isError, type Header, type Note } from './checkpoint.ts';
import { ConfigReader, type Config } from './config.ts';
import type { Family, FamilyName, Plan } from './family.ts';
import { gpt2 } from './gpt2.ts';
import { llama } from './llama.ts';
import { vit } from './vit.ts';

export const FAMILIES: Readonly<Record<FamilyName, Family>> = { bert, gpt2, llama, vit };

export interface Inspected {
  /** null where the file is none of the models, or lacks something. */
  readonly plan: Plan | null;
  readonly family: FamilyName | null;
  readonly notes: readonly Note[];
  /** Numbers in all of its weights that are read. */
  readonly parameters: number;
}

export function inspect(headers: ReadonlyMap<string, Header>, config: Config | null): Inspected {
  const checkpoint = new Checkpoint(headers);
  for (const family of Object.values(FAMILIES)) {
    const prefix = family.prefixOf(headers.keys());
    if (prefix === undefined) continue;
    const plan = family.plan(checkpoint, new ConfigReader(config, checkpoint), prefix);
    const notes = checkpoint.notes();
    const unused = new Set(notes.flatMap((note) => (note.kind === 'unused' ? note.names : [])));
    const parameters = [...headers].reduce(
      (sum, [name, { shape }]) => sum + (unused.has(name) ? 0 : shape.reduce((a, b) => a * b, 1)),
      0,
    );
    return { plan: notes.some(isError) ? null : plan, family: family.name, notes, parameters };
  }
  return { plan: null, family: null, notes: [], parameters: 0 };
}
