/** The mechanisms of the catalog: choices of a call, then systems, each in the order of their ids. */
import { entries as byId } from '../../../../build/generated/lists/catalog.ts';
import type { RunnableEntry } from '../entry/entry.ts';

const ofKind = (kind: RunnableEntry['kind']): RunnableEntry[] => byId.filter((entry) => entry.kind === kind);

export const entries: readonly RunnableEntry[] = [...ofKind('option'), ...ofKind('system')];
