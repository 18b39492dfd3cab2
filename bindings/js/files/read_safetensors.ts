/** Reading safetensors: the header is checked as a whole, then the wanted ranges are read. */
import { describe, fail } from '../errors/errors.ts';
import { checkChoice, isFunction, isList, readEntries, readOptions } from '../errors/options.ts';
import { withFile, type BinaryFile } from './binary_file.ts';
import { decode } from './decode.ts';
import { isNumberDtype } from './dtypes.ts';
import { readSafetensorsHeader, type TensorEntry } from './safetensors_header.ts';
import type { OpenNamed } from './source.ts';
import type { FileTensor, ReadAs, SafetensorsFile, SafetensorsOptions } from './types.ts';

export async function readSafetensorsWith<As extends ReadAs>(
  openNamed: OpenNamed,
  source: unknown,
  options: SafetensorsOptions<As> | undefined,
): Promise<SafetensorsFile<As>> {
  const fn = 'readSafetensors';
  const known = readOptions(fn, options, ['names', 'filter', 'as']);
  const { names, filter, as = 'float32' as As } = known;
  checkChoice(fn, 'as', as, ['float32', 'stored'] as As[]);
  if (names !== undefined && filter !== undefined) fail('option', fn, 'names and filter exclude each other');
  if (names !== undefined && !isList(names)) fail('value', fn, `names must be an array, got ${describe(names)}`);
  const chosen = names && readEntries(fn, 'names', names, (name) => name);
  if (filter !== undefined && !isFunction(filter)) fail('value', fn, `filter must be a function, got ${describe(filter)}`);
  return withFile(fn, openNamed, source, async (file) => {
    const { entries, metadata } = await readSafetensorsHeader(file);
    const wanted = choose(file, entries, chosen, filter);
    for (const { name, dtype } of wanted)
      if (as === 'float32' && !isNumberDtype(dtype))
        file.bad(`tensor ${describe(name)} has the dtype ${dtype}, which is read as bytes alone; pass as: 'stored'`);
    const tensors = new Map<string, FileTensor<As>>();
    for (const { name, dtype, shape, begin, end } of wanted) {
      const data = decode(file, `tensor ${describe(name)}`, await file.read(begin, end), dtype, as);
      tensors.set(name, { data, shape, dtype });
    }
    return { tensors, metadata };
  });
}

function choose(
  file: BinaryFile,
  entries: readonly TensorEntry[],
  names: readonly unknown[] | undefined,
  filter: SafetensorsOptions<ReadAs>['filter'],
): readonly TensorEntry[] {
  if (filter !== undefined) return entries.filter(({ name, shape, dtype }) => filter(name, { shape: [...shape], dtype }));
  if (names === undefined) return entries;
  const missing = new Set(names);
  const found = entries.filter(({ name }) => missing.delete(name));
  for (const name of missing) file.bad(`it has no tensor ${describe(name)} among its ${entries.length}`);
  return found;
}
