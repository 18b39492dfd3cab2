/** Waits until the event loop has run, so that a page paints and an abort arrives; timers would wait for milliseconds. */
export function nextTurn(): Promise<void> {
  const { scheduler, setImmediate } = globalThis as {
    scheduler?: { yield?: () => Promise<void> };
    setImmediate?: (done: () => void) => void;
  };
  if (typeof setImmediate === 'function') return new Promise((done) => setImmediate(done));
  if (typeof scheduler?.yield === 'function') return scheduler.yield();
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });
}
