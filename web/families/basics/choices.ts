import * as messages from '../../../build/generated/texts/family_basics.ts';
import { isSame } from '../../shell/kept.svelte.ts';
import type { Localized } from '../../shell/localized.ts';
import type { Mechanism } from '../../stages/mechanism.svelte.ts';
import { SCORES } from '../../stages/scores.ts';

/** A switch of one mechanism: each choice changes its arguments, and is the one shown if they stand so. */
export interface Choice {
  readonly value: string;
  readonly text: Localized;
  readonly choose: (mechanism: Mechanism) => void;
  readonly isChosen: (mechanism: Mechanism) => boolean;
}
export interface ChoiceOf {
  readonly label: Localized;
  readonly choices: readonly Choice[];
}

const word = (text: string): Localized => ({ en: text, zh: text });

/** An option in place of the default's; undefined takes it away again. */
function setOption(mechanism: Mechanism, name: string, value: unknown): void {
  const { [name]: _, ...others } = mechanism.options;
  mechanism.options = value === undefined ? others : { ...others, [name]: value };
}
function option(name: string, value: string, text: Localized, given: unknown): Choice {
  return {
    value,
    text,
    choose: (mechanism) => setOption(mechanism, name, given),
    isChosen: (mechanism) => mechanism.options[name] === given,
  };
}
/** Takes the arguments of the catalog's contrast, or those of its defaults. */
function contrast(part: 'inputs' | 'params', name: string, value: string, text: Localized, other: boolean): Choice {
  const given = ({ sample }: Mechanism) => (other ? { ...sample[part], ...sample.contrast[part] } : sample[part]);
  return {
    value,
    text,
    choose: (mechanism) => {
      mechanism[part] = { ...mechanism[part], [name]: given(mechanism)[name] };
    },
    isChosen: (mechanism) => isSame(mechanism[part][name], given(mechanism)[name]),
  };
}

const normalizers = (own: string): ChoiceOf => ({
  label: messages.normalizer,
  choices: [option('normalizer', 'own', word(own), undefined), option('normalizer', 'softmax', word('softmax'), 'softmax')],
});
const orDot = (own: Localized): ChoiceOf => ({
  label: messages.scoreOf,
  choices: [option('score', 'own', own, undefined), option('score', 'dot', messages.scores.dotProduct, SCORES.dot)],
});

export const choicesOf: Readonly<Record<string, ChoiceOf>> = {
  scaled_dot: {
    label: messages.scale,
    choices: [option('scale', 'root', word('√3'), undefined), option('scale', 'one', word('1'), 1)],
  },
  dot: {
    label: messages.scoreOf,
    choices: [
      option('score', 'own', messages.scores.dot, undefined),
      option('score', 'scaled', messages.scores.scaled, SCORES.scaledDot),
      option('score', 'cosine', messages.scores.cosine, SCORES.cosine),
    ],
  },
  cosine: orDot(messages.scores.cosine),
  additive: orDot(messages.scores.additive),
  location: orDot(messages.scores.location),
  key_value: {
    label: messages.value,
    choices: [contrast('inputs', 'v', 'own', messages.own, false), contrast('inputs', 'v', 'tied', messages.tied, true)],
  },
  bilinear: {
    label: messages.table,
    choices: [
      contrast('params', 'W', 'own', messages.capitals, false),
      contrast('params', 'W', 'identity', messages.identity, true),
    ],
  },
  concat: {
    label: messages.mixing,
    choices: [contrast('params', 'W', 'own', messages.both, false), contrast('params', 'W', 'one', messages.one, true)],
  },
  hard: normalizers('argmax'),
  top_k: normalizers('top-k'),
  sparsemax: normalizers('sparsemax'),
  entmax: {
    label: messages.normalizer,
    choices: [...normalizers('entmax').choices, option('normalizer', 'sparsemax', word('sparsemax'), 'sparsemax')],
  },
  relu: normalizers('ReLU'),
  fully_connected: {
    label: messages.netWindow,
    choices: [false, true].map((other) => ({
      value: other ? 'alone' : 'window',
      text: other ? messages.alone : messages.three,
      choose: (mechanism: Mechanism) => {
        const { sample: defaults } = mechanism;
        mechanism.params = other ? (defaults.contrast.params ?? {}) : defaults.params;
        mechanism.options = other ? (defaults.contrast.options ?? {}) : defaults.options;
      },
      isChosen: (mechanism: Mechanism) => (mechanism.options['context'] === 0) === other,
    })),
  },
};
