// The command line of `npm run bench`.

import { parseArgs } from 'node:util';
import { contestants } from './contestants/index.mjs';
import { families, isOf, shapes } from './shapes.mjs';

export const usage = `npm run bench -- [options]
  --quick              a few shapes, Chromium, one thread: under a minute
  --engine NAME,...    chromium, firefox, node20 (the Node that runs this), node24 (the npm package)
  --threads N,...      1, 2
  --only NAME,...      shapes (${shapes.map(({ id }) => id).join(', ')}, cold;
                       cliffs: the slowest inputs of a shape; decoders: token by token; layers: what stands around attention;
                       models: whole models beside transformers.js, training: steps and gradients beside peers, both when named alone;
                       sparse, linear, encoder: all of sparse or linear attention, or of encoders)
                       and contestants (${contestants.map(({ id }) => id).join(', ')}); fovea alone: all of fovea's
  --all                slow contestants with large shapes too`;

/** Tables that are measured without shapes. */
const tables = ['cold', 'cliffs', 'decoders', 'layers', 'models', 'training'];

export const engineNames = ['chromium', 'firefox', 'node20', 'node24'];

/** @returns what to measure; throws an error whose message is for the user */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      engine: { type: 'string' },
      threads: { type: 'string' },
      only: { type: 'string' },
    },
  });
  const list = (text) => text?.split(',').filter(Boolean) ?? null;
  const engines = list(values.engine);
  const threads = list(values.threads)?.map(Number) ?? null;
  const only = list(values.only) ?? [];
  need(engines ?? [], (name) => engineNames.includes(name), 'engine');
  need(threads ?? [], (count) => count === 1 || count === 2, 'number of threads');
  need(only, (name) => tables.includes(name) || namesShape(name) || namesContestant(name), 'shape or contestant');

  const shapeNames = only.filter(namesShape);
  const contestantNames = only.filter(namesContestant);
  const listed = only.some((name) => tables.includes(name)) || shapeNames.length > 0;
  return {
    ...values,
    engines,
    threads,
    whole: !values.quick && engines === null && threads === null && only.length === 0,
    /** Whether contestants were asked for by name. */
    named: contestantNames.length > 0,
    /** Shapes asked for by name, or null for the usual ones. */
    shapes: listed ? shapes.filter(isListed(shapeNames)) : null,
    contestants: contestantNames.length === 0 ? contestants : contestants.filter((one) => contestantNames.some(isNameOf(one))),
    cold: listed ? only.includes('cold') : true,
    decoders: listed ? only.includes('decoders') : contestantNames.length === 0,
    cliffs: listed ? only.includes('cliffs') : contestantNames.length === 0,
    layers: listed ? only.includes('layers') : contestantNames.length === 0,
    models: only.includes('models'),
    training: only.includes('training'),
  };
}

function need(names, known, what) {
  const wrong = names.find((name) => !known(name));
  if (wrong !== undefined) throw new Error(`no such ${what}: ${wrong}\n${usage}`);
}

const isNameOf = (contestant) => (name) => name === contestant.id || name === contestant.package;
const isShapeNamed = (name, shape) => name === shape.id || (families.includes(name) && isOf(name, shape));
const namesShape = (name) => shapes.some((shape) => isShapeNamed(name, shape));
/** The named shapes, and the dense shapes that they are compared with. */
const isListed = (names) => (shape) =>
  names.some((name) => isShapeNamed(name, shape) || shapes.some((one) => one.dense === shape.id && isShapeNamed(name, one)));
const namesContestant = (name) => contestants.some((one) => isNameOf(one)(name));
