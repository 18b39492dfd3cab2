/** `option` and `system` make an entry of what its file says, and fill in what most entries have in common. */
import type { EntryFile, RunnableEntry } from './entry.ts';
import { withChineseLabels } from './labels.ts';

/** The entry of a choice of a call. */
export const option = (file: EntryFile): RunnableEntry => filled('option', file);

/** The entry of a function of fovea/mechanisms. */
export const system = (file: EntryFile): RunnableEntry => filled('system', file);

function filled(kind: RunnableEntry['kind'], { chinese, chineseLabels, ...file }: EntryFile): RunnableEntry {
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
  };
}
