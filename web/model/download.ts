/** A file of the page's own, fetched with its progress in bytes. */

export interface Progress {
  readonly received: number;
  /** null where the server does not say. */
  readonly total: number | null;
}

/** @throws DOMException AbortError; Error where the server has no such file. */
export async function download(
  url: string,
  signal: AbortSignal,
  onprogress: (progress: Progress) => void,
): Promise<Uint8Array> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
  // Where the way is compressed, the length is that of fewer bytes than arrive.
  const length = response.headers.get('content-encoding') === null ? Number(response.headers.get('content-length')) : 0;
  const total = length > 0 ? length : null;
  const parts: Uint8Array[] = [];
  let received = 0;
  onprogress({ received, total });
  for (let reader = response.body!.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    onprogress({ received: (received += value.length), total });
  }
  const bytes = new Uint8Array(received);
  parts.reduce((at, part) => (bytes.set(part, at), at + part.length), 0);
  return bytes;
}
