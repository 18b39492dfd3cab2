/** One seeded call: draws its arguments, makes it, and keeps what it was and what it gave. */
import { Draw } from './draw.mjs';
import { isPlainObject, withOptionNames } from './names.mjs';
import { describe, hashes, optionsOf } from './record.mjs';

/** Methods of the instance; all others are functions of an entry, which take it first. */
const METHODS = ['attention', 'selfAttention', 'multiHeadAttention', 'combine'];

export class Context extends Draw {
  /** The calls made, in a few words each. */
  text = [];
  options = new Set();
  #owned = [];

  constructor(seed, fovea, api) {
    super(seed, fovea);
    this.api = api;
  }

  /** Calls a function of the package by its name in names.mjs. */
  call(name, ...args) {
    if (this.text.length === 0 && this.chance(0.02)) this.#spoil(args);
    this.note(name, args);
    const call = METHODS.includes(name) ? (own) => this.fovea[name](...own) : (own) => this.api[name](this.fovea, ...own);
    return withOptionNames(name, call, args);
  }

  /** Makes a call one that is refused: the code of its error is a result, too. */
  #spoil(args) {
    const first = args.findIndex((arg) => typeof arg === 'object' && arg !== null);
    const last = args.at(-1);
    const wrong = this.pick('option', 'shape', 'value');
    if (wrong === 'option' && isPlainObject(last) && !('data' in last)) args[args.length - 1] = { ...last, unheardOf: 1 };
    else if (wrong === 'shape') args[first] = { data: new Float32Array(3), shape: [2, 2] };
    else args[first] = 'text';
  }

  /** Makes a module, with weights of the seed. */
  make(name, ...args) {
    this.note(name, args);
    return this.own(withOptionNames(name, (own) => new this.api[name](this.fovea, ...own), args));
  }

  /** Remembers a call for the description, under the name that is counted. */
  note(name, args) {
    this.text.push(`${name}(${args.map(describe).join(', ')})`);
    for (const option of optionsOf(args)) this.options.add(option);
  }

  /** Remembers an object that is disposed once the call is recorded. */
  own(disposable) {
    this.#owned.push(disposable);
    return disposable;
  }

  dispose() {
    for (const one of this.#owned) one.dispose();
  }
}

/** { fn, text, draws, results } or { …, error } of call number `index`; `run` gets the context and returns what is to be kept. */
export function makeCall(index, fn, run, fovea, api) {
  const context = new Context(index, fovea, api);
  const record = { call: index, fn };
  try {
    fovea.scope(() => {
      record.results = hashes(run(context));
    });
  } catch (error) {
    record.error = error.code ?? error.name;
    record.message = error.message;
  } finally {
    context.dispose();
  }
  return { ...record, draws: context.state, text: context.text.join('; '), options: [...context.options] };
}
