/** A folder at a URL: each file is downloaded, or its server is asked whether the cached copy is current. */
import { fail } from '../../errors/errors.ts';
import { fromBytes, type Source } from '../../files/source.ts';
import { Download, isEncoded } from './download.ts';
import { OPTIONAL_FILES, type FileForm, type Folder, type FolderFile } from './folder.ts';
import { isSameValidator, openKeptFiles, PartWriter, validatorOf, type KeptFile, type KeptFiles } from './kept_files.ts';
import { checkOk, discard, isGone, isOwnOrigin, mayBeKept, PLAIN, request, type Access } from './request.ts';
import { joined, Stream } from './stream.ts';

/** @param url - ends in a slash */
export function servedFolder(access: Access, url: URL): Folder {
  const files = access.cache === 'none' || !/^https?:$/.test(url.protocol) ? null : openKeptFiles();
  const ahead = new Map<string, Promise<FolderFile | null>>();
  const fetchFrom = (file: string, form: FileForm): Promise<FolderFile | null> =>
    fetchFile(access, files, { file, url: new URL(file, url), form });
  return {
    name: url.href,
    find(file, form) {
      const begun = ahead.get(file);
      ahead.delete(file);
      return begun ?? fetchFrom(file, form);
    },
    readAhead(names) {
      for (const file of names) {
        const begun = fetchFrom(file, 'whole');
        // Whoever finds the file is told.
        begun.catch(() => undefined);
        ahead.set(file, begun);
      }
    },
    checkOthers: async () => {},
  };
}

interface Wanted {
  /** Its path in the folder. */
  readonly file: string;
  readonly url: URL;
  readonly form: FileForm;
}

async function fetchFile(access: Access, files: KeptFiles | null, wanted: Wanted): Promise<FolderFile | null> {
  const { file, url, form } = wanted;
  const kept = (await files?.find(url)) ?? null;
  const response = await askFor(access, url, kept, files);
  if (response === null) {
    const download = new Download({ access, url, files, kept, response, version: kept });
    return form === 'whole' ? collect(access, download, wanted, kept!.size) : stream(access, download, wanted, kept!.size);
  }
  if (isGone(response) || (response.status === 403 && OPTIONAL_FILES.has(file))) {
    await discard(response);
    return null;
  }
  checkOk(access.fn, url, response);
  const told = Number(response.headers.get('content-length') ?? NaN);
  const size = !isEncoded(response) && Number.isSafeInteger(told) && told > 0 ? told : null;
  const isPage = /^text\/html/i.test(response.headers.get('content-type') ?? '');
  const validator = response.status === 200 && !isPage && mayBeKept(response) ? validatorOf(response) : null;
  const opened = { access, url, files, kept: null, response };
  if (form === 'stream' && size !== null) {
    const version = validator === null ? null : { validator, size };
    return stream(access, new Download({ ...opened, version }), wanted, size);
  }
  // How many bytes there are is known at their end: servers of other origins may not tell that they compress them.
  const collected = await collect(access, new Download({ ...opened, version: null }), wanted, size);
  if (files === null || validator === null) return collected;
  await new PartWriter(files, url, { validator, size: collected.size }).add(await collected.read(0, collected.size));
  return { ...collected, forget: () => files.forget(url, collected.size).then(() => false) };
}

/** The server's answer; null where the file is the kept one. */
async function askFor(access: Access, url: URL, kept: KeptFile | null, files: KeptFiles | null): Promise<Response | null> {
  if (kept === null) return request(access, url, PLAIN);
  const isUnchanged = (response: Response): boolean =>
    response.status === 304 || (response.ok && isSameValidator(validatorOf(response), kept.validator));
  const isOwn = isOwnOrigin(url);
  if (!isOwn) {
    const head = await request(access, url, { method: 'HEAD', headers: {} }).catch(() => null);
    await discard(head);
    if (head !== null && isUnchanged(head)) return null;
  }
  const { name, value } = kept.validator;
  const condition = { [name === 'etag' ? 'if-none-match' : 'if-modified-since']: value };
  const response = await request(access, url, isOwn ? { method: 'GET', headers: condition } : PLAIN);
  if (isUnchanged(response)) {
    await discard(response);
    return null;
  }
  if (response.ok || isGone(response)) await files?.forget(url, kept.size);
  return response;
}

/** The next bytes of a download, whose progress is told. */
function told({ onProgress }: Access, download: Download, { file }: Wanted, size: number | null): typeof download.next {
  let loaded = 0;
  return async () => {
    const piece = await download.next();
    loaded += piece?.length ?? 0;
    if (piece !== null) onProgress?.({ file, phase: 'download', loaded, total: size !== null && loaded <= size ? size : null });
    return piece;
  };
}

function stream(access: Access, download: Download, wanted: Wanted, size: number): FolderFile {
  const next = told(access, download, wanted, size);
  return folderFile(new Stream(wanted.url.href, size, next, () => download.close()), download);
}

async function collect(access: Access, download: Download, wanted: Wanted, size: number | null): Promise<FolderFile> {
  const next = told(access, download, wanted, size);
  const pieces: Uint8Array[] = [];
  try {
    for (let piece = await next(); piece !== null; piece = await next()) pieces.push(piece);
  } finally {
    await download.close();
  }
  const bytes = joined(pieces);
  if (bytes.length === 0) fail('load', access.fn, `${wanted.url.href} cannot be read: the answer is empty`);
  return folderFile(fromBytes(wanted.url.href, bytes), download);
}

function folderFile(source: Source, download: Download): FolderFile {
  const { name, size } = source;
  return {
    ...{ name, size, read: (from, to) => source.read(from, to), close: () => source.close() },
    ...{ finish: () => download.finish(), forget: () => download.forget() },
  };
}
