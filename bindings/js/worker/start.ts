/** Waiting for a worker to start. */

/** The duty of a module that is given as a worker, for messages. */
export const MUST_SERVE = 'a module of yours must call serve() of fovea/serve';

/** For messages of both sides: a function to differentiate does not cross, so it lives in the worker. */
export const TRAINING_NEEDS_WORKER = `training needs the option worker: ${MUST_SERVE} there, and its functions train`;

/** Calls `act` in that many milliseconds, in ten steps: a device that slept meanwhile has lost one of them, not all. */
export function after(milliseconds: number, act: () => void): () => void {
  let left = 10;
  const timer = setInterval(() => --left === 0 && act(), milliseconds / left);
  return () => clearInterval(timer);
}
