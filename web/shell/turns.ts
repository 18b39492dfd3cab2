/** Work in turns: what takes long is done piece by piece, so that the browser paints and answers in between. */

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

/** Does `work` in a task of its own, after what was handed in before it. Returns what takes it back. */
export function inTurn(work: () => void): () => void {
  waiting.push(work);
  if (waiting.length === 1) next();
  return () => {
    const place = waiting.indexOf(work);
    if (place > 0) waiting.splice(place, 1);
  };
}

/** Does `work` in a task of its own after what was made in the turns before it has been painted. Returns what takes it back. */
export function whenPainted(work: () => void): () => void {
  let frame = 0;
  let takeBack = inTurn(() => {
    frame = requestAnimationFrame(() => (takeBack = inTurn(work)));
  });
  return () => {
    cancelAnimationFrame(frame);
    takeBack();
  };
}
