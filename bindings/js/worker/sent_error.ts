/** Errors that come from the worker, made the caller's own. */
import { AttentionError } from '../errors/errors.ts';
import type { SentError } from './protocol.ts';

export function errorOf({ code, name, message, cause, stack }: SentError): Error {
  const options = cause === undefined ? undefined : { cause: new Error(cause) };
  if (code !== null) return new AttentionError(code, message, options);
  const error = new Error(message, options);
  if (stack !== undefined) error.stack = stack;
  return name === 'Error' ? error : Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true });
}

export function causeOf({ cause }: SentError): Error | undefined {
  return cause === undefined ? undefined : new Error(cause);
}

/** A message without the name of the function before it. */
export function withoutName(message: string): string {
  return message.replace(/^[\w.]+: /, '');
}

/** The error with the stack of the call that it answers. Where stacks begin with the message, it stays there. */
export function calledFrom(site: Error, error: AttentionError): AttentionError {
  const { stack } = site;
  if (stack === undefined) return error;
  const headed = /^Error\n/.test(stack);
  error.stack = headed ? stack.replace(/^Error/, () => `${error.name}: ${error.message}`) : stack;
  return error;
}
