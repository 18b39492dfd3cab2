/** A queue of tasks: long work is done piece by piece, so that the browser paints and answers in between. */

const waiting: (() => void)[] = [];
/** Nested timers wait at least 4 ms, messages do not. */
const channel = new MessageChannel();
const next = (): void => channel.port2.postMessage(null);
/** Milliseconds of work after which the browser is given the time to lay out and paint: both take about as long as the work. */
const PIECE = 3;
/** Milliseconds after which no frame is waited for: a hidden page has none. */
const FRAME = 60;

channel.port1.onmessage = () => {
  const start = performance.now();
  try {
    waiting[0]?.();
  } finally {
    waiting.shift();
    if (waiting.length > 0) {
      if (performance.now() - start < PIECE) next();
      else afterFrame(next);
    }
  }
};

/** Calls `then` once, when the next frame is about to be painted or when there is none. */
function afterFrame(then: () => void): void {
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    then();
  });
  const timer = setTimeout(() => {
    cancelAnimationFrame(frame);
    then();
  }, FRAME);
}

/** Runs `work` in a task of its own, after the tasks queued before it. Returns a function that cancels it. */
export function queueTask(work: () => void): () => void {
  waiting.push(work);
  if (waiting.length === 1) next();
  return () => {
    const index = waiting.indexOf(work);
    if (index > 0) waiting.splice(index, 1);
  };
}

/** Runs `work` in a task of its own, after the tasks queued before it have been painted. Returns a function that cancels it. */
export function queueAfterPaint(work: () => void): () => void {
  let frame = 0;
  let cancel = queueTask(() => {
    frame = requestAnimationFrame(() => (cancel = queueTask(work)));
  });
  return () => {
    cancelAnimationFrame(frame);
    cancel();
  };
}
