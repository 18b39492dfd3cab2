// Workers that answer questions, in browsers and in Node alike.

const threads = globalThis.process?.versions?.node ? await import('node:worker_threads') : null;

/** Starts a module as a worker. `ask` sends it one question and resolves with the answer; one at a time. */
export async function startWorker(url) {
  const worker = threads ? new threads.Worker(url) : new Worker(url, { type: 'module' });
  const listen = (kind, listener) => (threads ? worker.on(kind, listener) : worker.addEventListener(kind, listener));
  let waiting;
  listen('message', (event) => {
    const { error, value } = threads ? event : event.data;
    if (error === undefined) waiting.resolve(value);
    else waiting.reject(new Error(error));
  });
  listen('error', (error) => waiting?.reject(new Error(error.message ?? String(error))));
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        worker.postMessage(question);
      }),
  };
}

/** Inside a worker: answers each question with what `work` returns. */
export function answer(work) {
  const port = threads ? threads.parentPort : globalThis;
  const listener = async (event) => {
    try {
      port.postMessage({ value: await work(threads ? event : event.data) });
    } catch (error) {
      port.postMessage({ error: error.message });
    }
  };
  if (threads) port.on('message', listener);
  else port.addEventListener('message', listener);
}

/** The bytes of a file or URL. */
export async function readBytes(url) {
  if (threads) return await (await import('node:fs/promises')).readFile(new URL(url));
  return await (await fetch(url)).arrayBuffer();
}
