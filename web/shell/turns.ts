/** Work in turns: what takes long is done piece by piece, so that the browser paints and answers in between. */

const waiting: (() => void)[] = [];
/** Nested timers wait at least 4 ms, messages do not. */
const channel = new MessageChannel();
channel.port1.onmessage = () => {
  try {
    waiting[0]?.();
  } finally {
    waiting.shift();
    if (waiting.length > 0) channel.port2.postMessage(null);
  }
};

/** Does `work` in a task of its own, after what was handed in before it. Returns what takes it back. */
export function inTurn(work: () => void): () => void {
  waiting.push(work);
  if (waiting.length === 1) channel.port2.postMessage(null);
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
