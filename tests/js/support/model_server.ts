/** A server of a model's files, as servers differ: with and without ranges, versions and conditions, and connections that break. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

export interface ModelServerOptions {
  /** Whether requests for a range get one. Default true. */
  ranges: boolean;
  /** By the name of a file; null: none. */
  etag: ((file: string) => string) | null;
  lastModified: string | null;
  cacheControl: string | null;
  /** Whether `if-none-match` and `if-modified-since` are understood. Default true. */
  conditions: boolean;
  /** The bytes of each answer with weights that are sent before the connection breaks. */
  cutAfter: number;
  /** Whether JSON is compressed. */
  compressed: boolean;
  /** Answers in place of the server where it returns true. */
  answer: (file: string, request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface Asked {
  readonly method: string;
  readonly file: string;
  readonly headers: IncomingMessage['headers'];
  status: number;
  /** Bytes of the body that the server has sent. */
  bytes: number;
}

export const SERVED: ModelServerOptions = {
  ...{
    ranges: true,
    etag: (file) => `"${file}-1"`,
    lastModified: null,
    cacheControl: null,
    conditions: true,
    cutAfter: Infinity,
  },
  ...{ compressed: false, answer: () => false },
};

export class ModelServer {
  files: ReadonlyMap<string, Uint8Array> = new Map();
  options: ModelServerOptions = SERVED;
  asked: Asked[] = [];
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  async listen(): Promise<string> {
    // A test whose thread was busy must not meet a connection that is just being closed.
    this.#server.keepAliveTimeout = 0;
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/model/`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** From now on, with nothing asked yet. */
  serve(files: ReadonlyMap<string, Uint8Array>, options: Partial<ModelServerOptions> = {}): void {
    this.files = files;
    this.options = { ...SERVED, ...options };
    this.asked = [];
  }

  askedFor(file: string): Asked[] {
    return this.asked.filter((one) => one.file === file);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const file = decodeURIComponent(request.url!.replace(/^\/model\//, ''));
    const asked: Asked = { method: request.method!, file, headers: request.headers, status: 0, bytes: 0 };
    this.asked.push(asked);
    const { ranges, etag, lastModified, cacheControl, conditions, cutAfter, compressed, answer } = this.options;
    if (answer(file, request, response)) return;
    const whole = this.files.get(file);
    const send = (status: number, headers: Record<string, string | number> = {}): ServerResponse => {
      asked.status = status;
      if (cacheControl !== null) response.setHeader('cache-control', cacheControl);
      return response.writeHead(status, headers);
    };
    if (whole === undefined) return void send(404).end('none');
    const versions: Record<string, string> = {};
    if (etag !== null) versions['etag'] = etag(file);
    if (lastModified !== null) versions['last-modified'] = lastModified;
    const { headers } = request;
    const isSame =
      (headers['if-none-match'] !== undefined && headers['if-none-match'] === versions['etag']) ||
      (headers['if-modified-since'] !== undefined && headers['if-modified-since'] === versions['last-modified']);
    if (conditions && isSame) return void send(304, versions).end();
    if (compressed && file.endsWith('.json')) {
      const body = gzipSync(whole);
      send(200, { ...versions, 'content-encoding': 'gzip', 'content-length': body.length });
      asked.bytes = body.length;
      return void response.end(body);
    }
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? NaN);
    const condition = headers['if-range'];
    const isRange =
      ranges &&
      !Number.isNaN(from) &&
      (condition === undefined || [condition].flat().every((one) => Object.values(versions).includes(one)));
    if (isRange && from >= whole.length) return void send(416).end();
    const body = isRange ? whole.subarray(from) : whole;
    const range = isRange ? { 'content-range': `bytes ${from}-${whole.length - 1}/${whole.length}` } : {};
    send(isRange ? 206 : 200, { ...versions, ...range, 'content-length': body.length });
    if (request.method === 'HEAD') return void response.end();
    const ended = once(response, 'close');
    const most = file.endsWith('.safetensors') ? Math.min(cutAfter, body.length) : body.length;
    for (let at = 0; at < most && !response.destroyed; at += 2 ** 16) {
      const piece = body.subarray(at, Math.min(most, at + 2 ** 16));
      asked.bytes += piece.length;
      if (!response.write(piece)) await Promise.race([once(response, 'drain'), ended]);
    }
    // A moment, so that what was written arrives before the connection breaks.
    if (most < body.length) setTimeout(() => response.destroy(), 50);
    else response.end();
  }
}
