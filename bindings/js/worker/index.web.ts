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

function startScript(url: string | URL | undefined): Worker {
  // Two literals, as bundlers look for exactly this form; the name is that of the file where webpack puts it.
  return url === undefined
    ? new Worker(new URL('./fovea-worker.js', import.meta.url), { type: 'module', name: 'fovea-worker' })
    : new Worker(url, { type: 'module', name: 'fovea-worker' });
}

function scriptMissing(): string {
  const remedy =
    viteRemedy(import.meta.url) ?? "see how fovea-worker.js is served, and whether a policy needs worker-src 'self'";
  return `its script cannot be loaded: ${remedy}`;
}

const web: WorkerPlatform = {
  start(events, { worker: given, url }) {
    const worker = (given as Worker | undefined) ?? startScript(url);
    worker.onmessage = ({ data }: MessageEvent<unknown>) => events.reply(data);
    worker.onmessageerror = () => events.broken('a message of it cannot be read', undefined);
    worker.onerror = (event) => {
      event.preventDefault();
      // A script that does not arrive gives an event without a message.
      const { message = scriptMissing(), error } = event as Partial<ErrorEvent>;
      events.broken(message, error);
    };
    return {
      post: (message, transfer) => worker.postMessage(message, [...transfer]),
      hold() {},
      terminate: () => worker.terminate(),
    };
  },
  absolute,
  moduleUrl: absolute,
};

/** Documented in index.ts. */
export function connect(options?: ConnectOptions): Promise<RemoteFovea> {
  return connectWith(web, options);
}
