import { isRecord, parse, type State, VERSION } from './codec.ts';

/** A page and its state as a JSON file: `{ "fovea": 1, "page": "#/self-attention", "state": { … } }`. */

export interface SavedPage {
  /** The fragment of the page's address, without the state. */
  readonly page: string;
  readonly state: State;
}

/** Bytes; nothing larger is read. */
export const LARGEST_FILE = 2 ** 25;
const LONGEST_PAGE = 8000;

export function savedText({ page, state }: SavedPage): string {
  return `${JSON.stringify({ fovea: VERSION, page, state }, null, 1)}\n`;
}

/** Never throws for what a file may hold. */
export async function openSaved(file: Blob): Promise<SavedPage | 'broken' | 'version' | 'large'> {
  if (file.size > LARGEST_FILE) return 'large';
  const read = parse(await file.text());
  if (read === 'broken' || !Object.hasOwn(read, 'fovea')) return 'broken';
  if (read['fovea'] !== VERSION) return 'version';
  const [page, state] = [read['page'], read['state']];
  if (typeof page !== 'string' || page.length > LONGEST_PAGE || !page.startsWith('#/') || !isRecord(state)) return 'broken';
  return { page, state };
}
