// Faults as people make them, one at a time in a copy of the sources, each with what is to find it: a fuzz target, or files of the JavaScript suite.

const in_ = (file, before, after) => ({ file, before, after });
const properties = (...names) => ({
  tests: names.map((name) => (name.endsWith('.release_test') ? `${name}.js` : `${name}.test.js`)),
});
const fuzz = (target) => ({ fuzz: target });

export const FAULTS = [
  {
    name: 'missed rescale: the sums of values stay when the running maximum rises',
    edits: [
      in_('src/attention/softmax/online_softmax.cpp', 'store(o + c, load(o + c) * correction);', 'store(o + c, load(o + c));'),
    ],
    finder: fuzz('attention'),
  },
  {
    name: 'causal attention sees one key too many',
    edits: [
      in_(
        'src/attention/problem/position_rules.hpp',
        'if (causal) to = std::min(to, p + 1);',
        'if (causal) to = std::min(to, p + 2);',
      ),
    ],
    finder: fuzz('attention'),
  },
  {
    name: 'every row of a strip takes the mask of its first',
    edits: [
      in_(
        'src/attention/score/tile_masks.cpp',
        'mask.row(tile.batch, tile.head, tile.query_of(r))',
        'mask.row(tile.batch, tile.head, tile.query_of(0 * r))',
      ),
    ],
    finder: fuzz('attention'),
  },
  {
    name: 'wrong head: full rows of grouped queries read the values of another head',
    edits: [
      in_(
        'src/attention/softmax/normalized_rows.cpp',
        'return head / (args.heads / args.kv_heads);',
        'return head % args.kv_heads;',
      ),
    ],
    finder: fuzz('attention'),
  },
  {
    name: 'memory of another call: lanes of sums are not set to 0',
    edits: [
      in_(
        'src/attention/softmax/row_states.cpp',
        'if (sums_values(args)) std::fill_n(lanes_ + kLanes * first, kLanes * count, 0.0f);',
        '',
      ),
    ],
    finder: fuzz('attention'),
  },
  {
    name: 'off-by-one tail: softmax leaves out the last number of a line that is no multiple of four',
    edits: [
      in_(
        'src/ops/softmax.cpp',
        'for (; i < n; ++i) {\n    const float e = simd::exp(x[i] - shift);',
        'for (; i + 1 < n; ++i) {\n    const float e = simd::exp(x[i] - shift);',
      ),
    ],
    finder: fuzz('ops'),
  },
  {
    name: 'wrong axis: norms of an axis that is not the last begin in the wrong place',
    edits: [
      in_(
        'src/ops/row_norm.cpp',
        'const std::size_t offset = outer * args.n * args.inner + first;',
        'const std::size_t offset = outer * args.inner + first;',
      ),
    ],
    finder: fuzz('ops'),
  },
  {
    name: 'missing bounds check: a list of keys may name one beyond the last',
    edits: [
      in_(
        'src/attention/pattern/program.cpp',
        'if (values[n] < from || values[n] > to) return false;',
        'if (values[n] < from || values[n] > to + 8) return false;',
      ),
    ],
    finder: fuzz('pattern'),
  },
  {
    name: 'decay of a state is added in place of multiplied',
    edits: [
      in_(
        'src/linear_attention/state_update.cpp',
        'if constexpr (kDecay) x[n] = x[n] * fade;',
        'if constexpr (kDecay) x[n] = x[n] + fade;',
      ),
    ],
    finder: fuzz('linear'),
  },
  {
    name: 'a chunk adds what it begins with twice to the sums of the keys',
    edits: [
      in_(
        'src/linear_attention/chunks.cpp',
        'f32 sum = load(part.s + at + f);',
        'f32 sum = load(part.s + at + f) + load(part.s + at + f);',
      ),
    ],
    finder: fuzz('linear'),
  },
  {
    name: 'a window sees one key too few on its left',
    edits: [
      in_(
        'src/attention/problem/position_rules.hpp',
        'from = std::max(from, p - std::min<std::int64_t>(window_left, kFar));',
        'from = std::max(from, p + 1 - std::min<std::int64_t>(window_left, kFar));',
      ),
    ],
    finder: fuzz('attention'),
  },
  {
    name: 'the last key of a line of pixels is left out',
    edits: [
      in_(
        'src/attention/pattern/leaves.cpp',
        'static_cast<std::size_t>(first + (length - 1) * stride + 1));',
        'static_cast<std::size_t>(first + (length - 1) * stride));',
      ),
    ],
    finder: fuzz('pattern'),
  },
  {
    name: 'of two draws of one block the second is lost',
    edits: [
      in_(
        'src/attention/pattern/leaves.cpp',
        'const std::uint32_t added = taken ? last : u;',
        'const std::uint32_t added = taken ? u : u;',
      ),
    ],
    finder: fuzz('pattern'),
  },
  {
    name: 'exponents of a block are raised by its first key alone',
    edits: [
      in_(
        'src/linear_attention/recurrent_rules.cpp',
        'scratch.sums.rescale(sizes, scratch.higher);',
        'if (t > 0 || from == 0) scratch.sums.rescale(sizes, scratch.higher);',
      ),
    ],
    finder: fuzz('linear'),
  },
  {
    name: 'a norm leaves the last numbers of a line out of its squares',
    edits: [in_('src/ops/row_norm.cpp', 'sums.second += d * d;', '')],
    finder: fuzz('ops'),
  },
  {
    name: 'stale view: numbers are read from the memory as it was before it grew',
    edits: [
      in_('bindings/js/runtime/heap.ts', '  #live = 0;\n', '  #live = 0;\n  #first: ArrayBuffer | undefined;\n'),
      in_(
        'bindings/js/runtime/heap.ts',
        'return new Float32Array(this.#engine.buffer as ArrayBuffer, address, length);',
        'return new Float32Array((this.#first ??= this.#engine.buffer as ArrayBuffer), address, length);',
      ),
    ],
    finder: properties('properties_definition', 'api/fuzz', 'api/hostile_sizes', 'api/large_sizes.release_test'),
  },
  {
    name: 'memory of another call: a result is a view of wasm memory, which the next call overwrites',
    edits: [in_('bindings/js/call/outputs.ts', 'return source.slice() as A;', 'return source;')],
    finder: properties('properties_definition', 'api/fuzz'),
  },
  {
    name: 'a leak: memory that a call allocates beside its block is never freed',
    edits: [
      in_(
        'bindings/js/call/call_arena.ts',
        'if (this.#taken !== null) for (const address of this.#taken) this.free(address);',
        'this.#taken = null;',
      ),
    ],
    finder: properties('properties_patterns', 'api/memory', 'api/pattern_calls', 'api/fuzz'),
  },
  {
    name: 'a wrong mask in one mechanism: a token of a direction sees itself',
    edits: [
      in_(
        'bindings/js/mechanisms/system/directions.ts',
        "direction === 'forward' ? key < query : key > query",
        "direction === 'forward' ? key <= query : key > query",
      ),
    ],
    finder: properties('mechanisms/disan'),
  },
  {
    name: 'a lost option in the worker: progress is not told',
    edits: [
      in_(
        'bindings/js/worker/call_options.ts',
        'return ownProperties({ signal, onProgress, onPost, transfer });',
        'return ownProperties({ signal, onPost, transfer });',
      ),
    ],
    finder: properties('api/worker', 'api/worker_life'),
  },
  {
    name: 'a wrong link: the sibling of a lesson is of another family',
    edits: [in_('web/lessons/dot.ts', "id: 'bilinear'", "id: 'gru'")],
    finder: properties('lessons'),
  },
  {
    name: 'a wrong sum in the arithmetic: a softmax divides by one exponential more than there are',
    edits: [
      in_(
        'web/stages/arithmetic/lines.ts',
        '/ sum(line.map((x) => Math.exp(x - most)));',
        '/ (1 + sum(line.map((x) => Math.exp(x - most))));',
      ),
    ],
    finder: properties('catalog/stage_arithmetic'),
  },
  {
    name: 'a swapped slot of a text: a word and the one before it have the other weight',
    edits: [
      in_(
        'web/texts/en/alibi.ftl',
        'gives itself { $own } and the word before it { $before }',
        'gives itself { $before } and the word before it { $own }',
      ),
    ],
    finder: properties('texts'),
  },
  {
    name: 'a gradient of attention without D, the mean of a row',
    edits: [
      in_(
        'src/attention/backward/row_terms.cpp',
        'of_lse - static_cast<double>(weight[row]) * mean_gradient(args, block, query)',
        'of_lse',
      ),
    ],
    finder: fuzz('backward'),
  },
  {
    name: 'gradients of queries and keys without the scale',
    edits: [
      in_(
        'src/attention/backward/row_terms.cpp',
        '(is_scaled_only(args) ? forward.scale : 1.0f) / forward.variant.temperature',
        '1.0f / forward.variant.temperature',
      ),
    ],
    finder: fuzz('backward'),
  },
  {
    name: 'a gradient without the derivative of the soft cap',
    edits: [
      in_(
        'src/attention/backward/logit_gradients.cpp',
        '(scale * ((one - ratio) * (one + ratio)))',
        '(scale * (one + zero * ratio))',
      ),
    ],
    finder: fuzz('backward'),
  },
  {
    name: 'gradients of keys of the last head of a group alone',
    edits: [
      in_(
        'src/attention/backward/dense_backward.cpp',
        'for (std::size_t head = kv_head * group; head < (kv_head + 1) * group; ++head)',
        'for (std::size_t head = (kv_head + 1) * group - 1; head < (kv_head + 1) * group; ++head)',
      ),
    ],
    finder: fuzz('backward'),
  },
  {
    name: 'the first query that sees a key gives it no gradient',
    edits: [
      in_('src/attention/backward/dense_backward.cpp', 'return range.to > keys.from; }', 'return range.to > keys.from + 1; }'),
    ],
    finder: fuzz('backward'),
  },
  {
    name: 'the last tile of keys has no gradient',
    edits: [
      in_(
        'src/attention/backward/dense_backward.cpp',
        'for (std::size_t key = 0; key < forward().keys; key += kKeysTogether)',
        'for (std::size_t key = 0; key == 0 || key + kKeysTogether < forward().keys; key += kKeysTogether)',
      ),
    ],
    finder: fuzz('backward'),
  },
  {
    name: 'a gradient of a mask that heads share is that of one',
    edits: [
      in_(
        'src/attention/backward/pair_sums.cpp',
        'to[static_cast<std::ptrdiff_t>(tile.key_of(j)) * array.key] += from[j];',
        'to[static_cast<std::ptrdiff_t>(tile.key_of(j)) * array.key] = from[j];',
      ),
    ],
    finder: fuzz('backward'),
  },
  {
    name: 'weights of a gradient that forget the sink',
    edits: [
      in_(
        'src/attention/backward/row_terms.cpp',
        'forward.sinks == nullptr ? 1.0f : share_beside(lse, forward.sinks[block.head])',
        '1.0f',
      ),
    ],
    finder: fuzz('backward'),
  },
  {
    name: 'stale packed weights: a step does not pack them again',
    edits: [
      in_(
        'bindings/js/train/moments.ts',
        'this.#block);\n      if (variable.packing !== null)',
        'this.#block);\n      if (variable.packing !== null && step === 0)',
      ),
    ],
    finder: properties('train/trainer'),
  },
  {
    name: 'a wrong bias correction: that of the step after',
    edits: [in_('bindings/js/train/optimizers.ts', 'beta2Power: power(beta2, step)', 'beta2Power: power(beta2, step + 1)')],
    finder: properties('train/trainer'),
  },
  {
    name: 'moments that are saved are not restored',
    edits: [
      in_(
        'bindings/js/train/moments.ts',
        '      heap.floats(address, data.length).set(data);',
        "      if (!name.startsWith('exp_avg.')) heap.floats(address, data.length).set(data);",
      ),
    ],
    finder: properties('train/trainer'),
  },
];
