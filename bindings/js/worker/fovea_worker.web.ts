/** The program of a worker of the web. */
import { webModules } from '../fovea/modules.web.ts';
import { loadWith } from '../fovea/load.ts';
// Not by import(), as bundlers that make one file of a worker, such as Vite, cannot follow that there.
import * as threadFiles from '../runtime/threads.web.ts';
import { Server } from './server.ts';
import type { Reply, Request } from './protocol.ts';

/** The members of a worker's global scope that the DOM's types lack. */
declare const self: {
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  onmessageerror: (() => void) | null;
  postMessage(reply: Reply, transfer: Transferable[]): void;
};

const { port1, port2 } = new MessageChannel();

const platform = { ...webModules, importThreads: async () => threadFiles };

const server = new Server({
  load: (options) => loadWith(platform, options),
  // The caller's own module is found when it is asked for: no bundler can know it.
  importModule: (url) => import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ url),
  post: (reply, transfer) => self.postMessage(reply, [...transfer]),
  // A message of its own comes behind those that have come: a timeout would wait for 4 ms.
  yieldToEventLoop: () =>
    new Promise((resolve) => {
      port1.onmessage = () => resolve();
      port2.postMessage(null);
    }),
});
self.onmessage = ({ data }) => server.receive(data);
self.onmessageerror = () => server.onMessageError();
