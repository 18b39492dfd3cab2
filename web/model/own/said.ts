import { complaints, notes, refusals } from '../../../build/generated/texts/own_model.ts';
import { fill, type Localized } from '../../shell/localized.ts';
import { megabytes } from '../megabytes.ts';
import type { Note } from './checkpoint.ts';
import type { Complaint } from './files.ts';
import type { Refusal } from './job.ts';

const MOST_NAMES = 6;
const list = (names: readonly string[]): string => names.slice(0, MOST_NAMES).join(', ');
const shape = (lengths: readonly number[]): string => `[${lengths.map((n) => (n < 0 ? '?' : n)).join(', ')}]`;

/** The page's note about a file, in place. */
export function noteText(note: Note): Localized {
  switch (note.kind) {
    case 'missing': {
      const [names, count] = [list(note.names), note.names.length];
      return count > MOST_NAMES
        ? fill(notes.missingMore, { names, rest: { en: count - MOST_NAMES, zh: count } })
        : fill(notes.missing, { names });
    }
    case 'shape':
      return fill(notes.shape, { name: note.name, wanted: shape(note.wanted), got: shape(note.got) });
    case 'type':
      return fill(notes.type, note);
    case 'config':
      return fill(notes.config, note);
    case 'assumed':
      return fill(notes.assumed, note);
    case 'ignored':
      return fill(notes.ignored, note);
    case 'unused':
      return fill(notes.unused, { count: note.names.length, names: list(note.names) });
  }
}

export function complaintText(complaint: Complaint): Localized {
  switch (complaint.kind) {
    case 'unknown':
      return fill(complaints.unknown, complaint);
    case 'instead':
      return fill(complaints.instead, complaint);
    case 'large': {
      const { name, bytes, most } = complaint;
      return fill(complaints.large, { name, size: megabytes(bytes), most: megabytes(most) });
    }
    case 'json':
      return fill(complaints.json, complaint);
    case 'refused':
      return fill(complaints.refused, complaint);
  }
}

export function refusalText(refusal: Refusal): Localized {
  switch (refusal.kind) {
    case 'empty':
      return refusals.empty;
    case 'ids':
      return fill(refusals.ids, refusal);
    case 'vocabulary':
      return fill(refusals.vocabulary, refusal);
  }
}
