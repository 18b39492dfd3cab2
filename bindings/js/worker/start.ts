/** Waiting for a worker to start. */

/** The duty of a module that is given as a worker, for messages. */
export const MUST_SERVE = 'a module of yours must call serve() of fovea/serve';

/** Calls `act` in that many milliseconds, in ten steps: a device that slept meanwhile has lost one of them, not all. */
export function after(milliseconds: number, act: () => void): () => void {
  let left = 10;
  const timer = setInterval(() => --left === 0 && act(), milliseconds / left);
  return () => clearInterval(timer);
}
