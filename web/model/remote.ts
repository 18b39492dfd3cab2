/** A model in a worker of its own: jobs are modules whose functions stay loaded there between calls. */
import { connect } from 'fovea/worker';

type Functions = Record<keyof never, (...args: never[]) => unknown>;

export interface Remote<Requests> {
  ask<Name extends keyof Requests>(
    name: Name,
    ...args: Requests[Name] extends (...args: infer A) => unknown ? A : never
  ): Promise<Requests[Name] extends (...args: never[]) => infer R ? Awaited<R> : never>;
  /** Ends the worker and frees all of it; what is pending is rejected. */
  end(): void;
}

/** Deterministic: the numbers shown are the same in every browser. */
export async function openRemote<Requests extends { [Name in keyof Requests]: Functions[keyof never] }>(
  job: string,
): Promise<Remote<Requests>> {
  const remote = await connect({ deterministic: true });
  const url = new URL(job, document.baseURI);
  return {
    ask: (name, ...args) => remote.run(url, name, ...args) as never,
    end: () => remote.terminate(),
  };
}
