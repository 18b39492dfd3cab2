/** `option` and `system` make an entry of what its file says, and fill in what most entries have in common. */
import type { EntryFile, RunnableEntry } from './entry.ts';
import { withChineseLabels } from './labels.ts';
import { sampleOfWords } from './other_words.ts';

/** The entry of a choice of a call. */
export const option = (file: EntryFile): RunnableEntry => filled('option', file);

/** The entry of a function of fovea/mechanisms. Its code is a call with all inputs, params and options of the defaults by name. */
export const system = (file: EntryFile<'code'>): RunnableEntry => filled('system', { code: callOf(file), ...file });

function callOf({ id, defaults: { inputs, params = {}, options = {} } }: EntryFile<'code'>): string {
  const name = id.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const given = [inputs, params, options].map((one) =>
    Object.keys(one).length > 0 ? `{ ${Object.keys(one).join(', ')} }` : '{}',
  );
  while (given.at(-1) === '{}') given.pop();
  return `${name}(${['fovea', ...given].join(', ')})`;
}

function filled(kind: RunnableEntry['kind'], { chinese, chineseLabels, sampleOf, ...file }: EntryFile): RunnableEntry {
  const { params = {} } = file.defaults;
  const provenance = Object.keys(params).length > 0 ? 'designed' : 'none';
  const defaults = { options: {}, provenance, seeded: false, labels: {}, ...file.defaults, params } as const;
  return {
    notations: [],
    slots: {},
    ranges: {},
    ...file,
    kind,
    year: 'year' in file ? file.year : file.paper.year,
    defaults,
    samples: { en: defaults, zh: chinese ? { ...defaults, ...chinese } : withChineseLabels(defaults, chineseLabels) },
    sampleOf: sampleOf === undefined ? null : sampleOfWords(defaults, file.complexity.sizes, chineseLabels, sampleOf),
  };
}
