/** Which mechanism a command names, and its arguments. */
import type { Arguments, CatalogEntry } from 'fovea/catalog';
import { listOf, type Given } from './command_line.ts';
import { UsageError } from './failure.ts';
import type { Progress } from './output.ts';
import { nest, readNamed, readOptions } from './read_arrays.ts';
import { Stdin } from './standard_streams.ts';

/** The arguments of `run` of fovea/catalog; undefined stands for the entry's own example. */
export interface MechanismCall {
  readonly entry: CatalogEntry;
  readonly inputs: Arguments | undefined;
  readonly params: Arguments | undefined;
  readonly options: Arguments;
}

/** @throws UsageError with ids that are near, where there is none of this name. */
export function findEntry(entries: readonly CatalogEntry[], name: string): CatalogEntry {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\d]+/gu, '');
  const wanted = plain(name);
  const isCalled = ({ id, aliases, title }: CatalogEntry) =>
    [id, title.en, title.zh, ...aliases].some((one) => plain(one) === wanted);
  const found = entries.find(({ id }) => id === name) ?? entries.find(isCalled);
  if (found !== undefined) return found;
  const near = entries
    .map(({ id }) => id)
    .filter((id) => wanted !== '' && (plain(id).includes(wanted) || wanted.includes(plain(id))));
  const hint = near.length > 0 ? `; near it: ${near.join(', ')}` : '';
  throw new UsageError(`there is no mechanism '${name}'${hint}; 'fovea list' shows all`);
}

export async function readCall(entry: CatalogEntry, given: Given, progress: Progress): Promise<MechanismCall> {
  const stdin = new Stdin(given, progress);
  const inputs = nest(await readNamed(listOf(given, 'input'), '--input', stdin));
  const params = nest(await readNamed(listOf(given, 'param'), '--param', stdin));
  const options = nest(await readOptions(listOf(given, 'option'), stdin));
  stdin.checkRead();
  const { defaults } = entry;
  const hasInputs = Object.keys(inputs).length > 0;
  const hasParams = Object.keys(params).length > 0;
  if (hasInputs) checkNames(entry, 'input', inputs, defaults.inputs);
  else progress(`no --input: ${entry.id} runs on its own example`);
  if (hasParams) checkNames(entry, 'param', params, defaults.params);
  else if (hasInputs && Object.keys(defaults.params).length > 0)
    progress(`no --param: ${entry.id} has the weights of its example`);
  return { entry, inputs: hasInputs ? inputs : undefined, params: hasParams ? params : undefined, options };
}

function checkNames({ id }: CatalogEntry, kind: string, got: Arguments, wanted: Arguments): void {
  const names = Object.keys(wanted);
  const missing = names.filter((name) => !Object.hasOwn(got, name));
  const unknown = Object.keys(got).filter((name) => !Object.hasOwn(wanted, name));
  if (missing.length === 0 && unknown.length === 0) return;
  const takes = `${id} takes the ${kind}s ${names.join(', ') || '(none)'}`;
  const faults = [
    missing.length > 0 ? `without ${missing.join(', ')}` : '',
    unknown.length > 0 ? `with ${unknown.join(', ')}` : '',
  ];
  throw new UsageError(
    `${takes}; got them ${faults.filter((one) => one !== '').join(' and ')}. A file's name is its ${kind}'s, or write --${kind} NAME=FILE`,
  );
}
