/** `fovea/worker` for web pages, workers, and engines that are not Node. */
import { connectWith, type WorkerPlatform } from './connect.ts';
import { viteRemedy } from '../errors/served.ts';
import type { RemoteFovea } from './remote_fovea.ts';
import type { ConnectOptions } from './remote_types.ts';

export { AttentionError } from '../errors/errors.ts';
export { RemoteTensor } from './remote_tensor.ts';

function absolute(url: string): string {
  const base = typeof document === 'object' ? document.baseURI : location.href;
  return URL.canParse(url, base) ? new URL(url, base).href : url;
}

function startScript(): Worker {
  // A literal, as bundlers look for exactly this form; the name is that of the file where webpack puts it.
  return new Worker(new URL('./fovea-worker.js', import.meta.url), { type: 'module', name: 'fovea-worker' });
}

function scriptMissing(isGiven: boolean): string {
  const what = isGiven ? 'it' : 'fovea-worker.js';
  const remedy =
    (isGiven ? undefined : viteRemedy(import.meta.url)) ??
    `see how ${what} is served, and whether a policy needs worker-src 'self'`;
  return `its script cannot be loaded: ${remedy}`;
}

const web: WorkerPlatform = {
  start(events, given) {
    const worker = (given as Worker | undefined) ?? startScript();
    worker.onmessage = ({ data }: MessageEvent<unknown>) => events.reply(data);
    worker.onmessageerror = () => events.broken('a message of it cannot be read', undefined);
    worker.onerror = (event) => {
      event.preventDefault();
      // A script that does not arrive gives an event without a message.
      const { message = scriptMissing(given !== undefined), error } = event as Partial<ErrorEvent>;
      events.broken(message, error);
    };
    return {
      post: (message, transfer) => worker.postMessage(message, [...transfer]),
      hold() {},
      terminate: () => worker.terminate(),
    };
  },
  isWorker: (value): value is Worker => typeof (Object(value) as Partial<Worker>).postMessage === 'function',
  workerKind: 'a Worker',
  absolute,
};

/** Documented in index.ts. */
export function connect(options?: ConnectOptions): Promise<RemoteFovea> {
  return connectWith(web, options);
}
