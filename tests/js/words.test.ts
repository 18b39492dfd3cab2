/** Words that the field's terms have replaced, and British spellings: none returns to the sources. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceFiles, type SourceFile } from './support/repository.ts';

const core = [
  ...sourceFiles('src', '.hpp', '.cpp', '.txt'),
  ...sourceFiles('bindings/wasm', '.hpp', '.cpp', '.txt'),
  ...sourceFiles('tests/cpp', '.hpp', '.cpp', '.txt'),
];
const others = ['bindings/js', 'bench', 'web'].flatMap((folder) =>
  sourceFiles(folder, '.ts', '.mjs', '.js', '.svelte', '.html', '.hpp', '.cpp', '.ftl'),
);

/** Each word with its replacement. */
const terms: Readonly<Record<string, string>> = {
  EightColumns: 'PackedBView',
  KeySpans: 'IntervalSet',
  KeyStore: 'KvLayout',
  LinearFading: 'CumulativeDecay',
  QueryNumbers: 'PerQueryScalars',
  RecurrentLane: 'DirectionBuffers',
  RunningRows: 'SoftmaxRows',
  Shrinks: 'RescaleFactors',
  TwoProducts: 'FusedProducts',
  accumulate_listed: 'gathered_axpy',
  accumulate_rows_of: 'weighted_row_sum',
  fade_key: 'scale_by_inverse_decay',
  fade_query: 'scale_by_decay',
  find_highest: 'update_row_max',
  finish_scores: 'apply_score_mods',
  for_pieces: 'for_each_segment',
  head_of_all: 'global_head',
  is_plain: 'is_dense_f32',
  is_row_global: 'needs_full_row',
  kEnds: 'kLastPass',
  kLazy: 'kRescaleThreshold',
  kListed: 'kIndexList',
  kPanelColumns: 'kNr',
  kPanelRows: 'kMr',
  kShortWork: 'kMinParallelWork',
  kStarts: 'kFirstPass',
  keep_scores: 'store_scores',
  lay_out: 'build',
  make_factors: 'exp_2x',
  most_block_rows: 'max_block_rows',
  most_kept: 'top_k_of',
  multiply_both: 'multiply_fused',
  multiply_listed: 'gathered_dots',
  raise_and_add: 'rescale_and_add',
  run_on: 'parallel_for',
  score_far_pairs: 'recompute_large_scores',
  shrink_of: 'rescale_factor',
  take_scores: 'update_rows',
  upper_bits: 'split_high',
  within_reach: 'max_unchanged',
};

const coreTerms: Readonly<Record<string, string>> = { ...terms, highest_of: 'max_of' };
const apiTerms: Readonly<Record<string, string>> = {
  ...terms,
  Asked: 'RequestedOutputs',
  AxisPart: 'VariantPart',
  DEEPEST: 'MAX_DEPTH',
  EXACT_ROWS: 'MIN_BITWISE_ROWS',
  FARTHEST: 'MAX_POSITION',
  Inquiry: 'RemoteCall',
  LARGEST: 'MAX_DIM',
  LinearSums: 'LinearAttentionState',
  NOWHERE: 'NULL_PTR',
  PlaceFields: 'PairFields',
  Placed: 'StridedPtr',
  PlacedRules: 'BoundSpec',
  SeenLayer: 'LayerPass',
  ShiftedSpan: 'OffsetPtr',
  StateSpans: 'StatePtrs',
  blame: 'findUncloneable',
  breathe: 'yieldToEventLoop',
  checkFits: 'checkSizes',
  handset: 'presetBySwitch',
  knownAs: 'internalsOf',
  markHandset: 'markPresetBySwitch',
  misunderstood: 'onMessageError',
  placeRules: 'bindSpec',
  planDense: 'prepareAttention',
  readAsked: 'parseOutputOptions',
  readRules: 'readAttentionSpec',
  toolsFor: 'a direct import',
  whenLeft: 'onRelease',
  whenPainted: 'queueAfterPaint',
};
/** Modules and types of the page; as plain words of its texts they stay. */
const pageNames: readonly (readonly [RegExp, string])[] = [
  [/\bshell\/turns\.ts\b/, 'shell/tasks.ts'],
  [/\bTurn\.svelte\b/, 'Deferred.svelte'],
  [/\bTurns\.svelte\b/, 'Rotations.svelte'],
  [/\bseen\.ts\b/, 'forward_pass.ts'],
  [/\binTurn\(/, 'queueTask'],
  [/\bstory\.svelte\.ts\b/, 'trace_view.svelte.ts'],
  [/\b(?:class|interface|type) Story\b/, 'a name by its subject, as TraceView'],
  [/\b(?:class|interface|type) Pairs\b/, 'a name by its subject'],
  [/\b(?:class|interface|type) Seen\b/, 'a name by its subject, as ForwardPass or MaskName'],
];

const british = /\w*(?:neighbour|normalis|stabilis|initialis|behaviour|colour|\bcentre)\w*/gi;

/** One complaint for every word of `replaced` in the file. */
function replacedWords({ path, text }: SourceFile, replaced: Readonly<Record<string, string>>): string[] {
  return [...text.matchAll(/\w+/g)]
    .filter(([word]) => Object.hasOwn(replaced, word))
    .map(([word]) => `${path}: '${word}', write '${replaced[word]}'`);
}

function britishWords({ path, text }: SourceFile): string[] {
  return [...text.matchAll(british)].map(([word]) => `${path}: '${word}'`);
}

test("the core's sources use the field's terms", () => {
  assert.ok(core.length > 100);
  assert.deepEqual(
    core.flatMap((file) => replacedWords(file, coreTerms)),
    [],
  );
  const sample = {
    path: 'src/sample.hpp',
    text: 'inline constexpr float kLazy = 5.5f;  // kLazyScale stays\nstruct KeyStore {};',
  };
  assert.deepEqual(replacedWords(sample, coreTerms), [
    "src/sample.hpp: 'kLazy', write 'kRescaleThreshold'",
    "src/sample.hpp: 'KeyStore', write 'KvLayout'",
  ]);
});

test('the API, the benchmarks and the page use them too', () => {
  assert.ok(others.length > 100);
  assert.deepEqual(
    others.flatMap((file) => replacedWords(file, apiTerms)),
    [],
  );
});

test('modules and types of the page are named by their subject', () => {
  const complaints = ({ path, text }: SourceFile): string[] =>
    pageNames
      .filter(([name]) => name.test(path) || name.test(text))
      .map(([name, wanted]) => `${path}: ${name}, write ${wanted}`);
  const page = sourceFiles('web', '.ts', '.svelte');
  assert.ok(page.length > 100);
  assert.deepEqual(page.flatMap(complaints), []);
  const sample = { path: 'web/shell/turns.ts', text: "import Turn from './Turn.svelte';\ninterface Story {}" };
  assert.equal(complaints(sample).length, 3);
});

test("the core's sources are spelled the American way", () => {
  assert.deepEqual(core.flatMap(britishWords), []);
  const sample = { path: 'src/sample.hpp', text: '/// Neighbours of the centre, is_normalised; in the center.' };
  assert.deepEqual(britishWords(sample), [
    "src/sample.hpp: 'Neighbours'",
    "src/sample.hpp: 'centre'",
    "src/sample.hpp: 'is_normalised'",
  ]);
});

/** Comments that begin with a pronoun for their subject: a fragment that the reader has to complete. */
function fragments({ path, text }: SourceFile): string[] {
  const openings = /^\s*(?:\/\*\*|\*|\/\/+|<!--) ((?:What|Of|That of|Those|The same|As|So many) .*)$/gm;
  return [...text.matchAll(openings)].map(([, comment]) => `${path}: '${comment}'`);
}

/** This file quotes such comments; the steps of the course and the words of stages are not checked yet. */
const unread = /^(?:tests\/js\/words\.test|web\/course\/learn\/steps\/|web\/stages\/\w+_words\.ts)/;

test('no comment begins with What, Of, That of, Those, The same, As or So many', () => {
  const sources = [
    ...sourceFiles('src', '.hpp', '.cpp'),
    ...['bindings', 'bench', 'scripts', 'tests', 'web'].flatMap((folder) =>
      sourceFiles(folder, '.hpp', '.cpp', '.ts', '.mjs', '.js', '.svelte'),
    ),
  ].filter(({ path }) => !unread.test(path));
  assert.ok(sources.length > 1000);
  assert.deepEqual(sources.flatMap(fragments), []);
  const text =
    '/// What a call needs.\n  // Of each row.\n/** The same of a Tensor. */\n// As rows.\n<!-- Those of a page. -->\n// What, here, begins no fragment\nint x; // Of x';
  assert.deepEqual(fragments({ path: 'src/sample.hpp', text }), [
    "src/sample.hpp: 'What a call needs.'",
    "src/sample.hpp: 'Of each row.'",
    "src/sample.hpp: 'The same of a Tensor. */'",
    "src/sample.hpp: 'As rows.'",
    "src/sample.hpp: 'Those of a page. -->'",
  ]);
});
