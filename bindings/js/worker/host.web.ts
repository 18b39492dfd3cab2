/** A worker of the web that serves: the package's own, or a module of the caller's. */
import { webModules } from '../fovea/modules.web.ts';
import { loadWith, type Platform } from '../fovea/load.ts';
// Not by import(), as bundlers that make one file of a worker, such as Vite, cannot follow that there.
import * as threadFiles from '../runtime/threads.web.ts';
import type { LoadOptions } from '../runtime/instance_types.ts';
import { Server } from './server.ts';
import type { Reply, Request } from './protocol.ts';
import type { ServedFunction } from './served_types.ts';

/** The members of a worker's global scope that the DOM's types lack. */
declare const self: {
  addEventListener(type: 'message' | 'messageerror', listener: (event: MessageEvent<Request>) => void): void;
  postMessage(reply: Reply, transfer: Transferable[]): void;
};

/** @param training - where modules that have gradients come from; null in the package's own script */
export function startServer(
  functions: Readonly<Record<string, ServedFunction>>,
  training: Omit<Platform, 'importThreads'> | null,
): void {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()!();
  const loadFrom = (modules: Omit<Platform, 'importThreads'>) => (options: LoadOptions) =>
    loadWith({ ...modules, importThreads: async () => threadFiles }, options);
  const server = new Server(
    {
      load: loadFrom(webModules),
      loadForTraining: training && loadFrom(training),
      post: (reply, transfer) => self.postMessage(reply, [...transfer]),
      // A message of its own comes behind those that have come: a timeout would wait for 4 ms.
      yieldToEventLoop: () =>
        new Promise((resolve) => {
          waiting.push(resolve);
          port2.postMessage(null);
        }),
    },
    functions,
  );
  self.addEventListener('message', ({ data }) => server.receive(data));
  self.addEventListener('messageerror', () => server.onMessageError());
}
