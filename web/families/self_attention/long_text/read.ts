import * as messages from '../../../../build/generated/texts/text.ts';
import { checkFileSize } from '../../../inputs/file_size.ts';
import { Refusal } from '../../../inputs/refusal.ts';

const MOST_MB = 1;

/** The text of a file in UTF-8, or in the encoding of older Chinese files. Throws a Refusal. */
export async function readText(file: Blob): Promise<string> {
  checkFileSize(file, MOST_MB);
  const bytes = await file.arrayBuffer();
  for (const encoding of ['utf-8', 'gb18030']) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      if (!text.includes('\0')) return text;
    } catch {
      // Bytes of another encoding.
    }
  }
  throw new Refusal(messages.notText);
}
