/// The module's exports: addresses in, a status out. Everything was validated before it came here (bindings/js), the core
/// checks what memory safety hangs on, and no arithmetic is done here.

#include <emscripten/bind.h>

#include <cstddef>
#include <cstdlib>
#include <string>

#include "arena.hpp"
#include "attention/attention.hpp"
#include "attention/combine.hpp"
#include "attention/lsh.hpp"
#include "attention/pattern/compile.hpp"
#include "attention/pattern/pairs.hpp"
#include "attention/sparse.hpp"
#include "blocks.hpp"
#include "core/thread_pool.hpp"
#include "ops/matmul.hpp"
#include "ops/softmax.hpp"

namespace fovea::wasm {
namespace {

Arena arena;
constinit ThreadPool pool;

template <class T>
T* pointer(std::uint32_t address) noexcept {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(address));
}

std::uint32_t address(const void* p) noexcept { return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(p)); }

AttentionArgs attention_args(const AttentionBlock& block) noexcept {
  AttentionArgs args;
  args.batch = block.batch;
  args.heads = block.heads;
  args.kv_heads = block.kv_heads;
  args.queries = block.queries;
  args.keys = block.keys;
  args.width = block.width;
  args.value_width = block.value_width;
  args.q = {pointer<const float>(block.q), block.q_batch, block.q_head, block.q_token};
  args.k = {pointer<const float>(block.k), block.k_batch, block.k_head, block.k_token};
  args.v = {pointer<const float>(block.v), block.v_batch, block.v_head, block.v_token};
  args.output = {pointer<float>(block.output), block.output_batch, block.output_head, block.output_token};
  args.weights = pointer<float>(block.weights);
  args.lse = pointer<float>(block.lse);
  args.scale = block.scale;
  args.softcap = block.softcap;
  args.causal = block.causal != 0;
  args.window_left = block.window_left;
  args.window_right = block.window_right;
  args.offsets = pointer<const std::int32_t>(block.offsets);
  args.key_lengths = pointer<const std::int32_t>(block.key_lengths);
  args.bool_mask = {pointer<const std::uint8_t>(block.bool_mask), block.bool_mask_batch, block.bool_mask_head,
                    block.bool_mask_query, block.bool_mask_key};
  args.float_mask = {pointer<const float>(block.float_mask), block.float_mask_batch, block.float_mask_head,
                     block.float_mask_query, block.float_mask_key};
  args.alibi_slopes = pointer<const float>(block.alibi_slopes);
  args.sinks = pointer<const float>(block.sinks);
  args.query_from = block.query_from;
  args.query_to = block.query_to;
  args.plans = pointer<const std::uint32_t* const>(block.plans);
  args.sparse_weights = {pointer<const std::int32_t>(block.sparse_indptr), pointer<const std::int32_t>(block.sparse_indices),
                         pointer<float>(block.sparse_values)};
  args.unit_from = block.unit_from;
  args.unit_to = block.unit_to;
  args.state = pointer<float>(block.state);
  return args;
}

template <class Run>
std::uint32_t with_workspace(std::size_t floats, Run run) noexcept {
  const Status status = arena.reserve(floats) ? run(arena.workspace()) : Status::Memory;
  return static_cast<std::uint32_t>(status);
}

std::uint32_t run_attention(std::uint32_t block) {
  const AttentionArgs args = attention_args(*pointer<AttentionBlock>(block));
  return with_workspace(attention_workspace_floats(args, pool.threads()),
                        [&](Workspace scratch) { return attention(args, scratch, &pool); });
}

std::uint32_t run_attention_logits(std::uint32_t block) {
  const AttentionBlock& words = *pointer<AttentionBlock>(block);
  const AttentionArgs args = attention_args(words);
  return with_workspace(attention_logits_workspace_floats(args, pool.threads()), [&](Workspace scratch) {
    return attention_logits(args, static_cast<LogitStage>(words.logit_stage), pointer<float>(words.logits), scratch, &pool);
  });
}

static_assert(sizeof(CombinePart) == 4 * kPartFields.size() && offsetof(CombinePart, lse) == 4 * 4);

std::uint32_t run_combine(std::uint32_t block) {
  const CombineBlock& words = *pointer<CombineBlock>(block);
  CombineArgs args;
  args.batch = words.batch;
  args.heads = words.heads;
  args.queries = words.queries;
  args.value_width = words.value_width;
  args.parts = pointer<const CombinePart>(words.parts);
  args.count = words.count;
  args.output = {pointer<float>(words.output), words.output_batch, words.output_head, words.output_token};
  args.lse = pointer<float>(words.lse);
  args.sinks = pointer<const float>(words.sinks);
  return with_workspace(combine_workspace_floats(args), [&](Workspace scratch) { return combine(args, scratch); });
}

PatternArgs pattern_args(const PatternBlock& block) noexcept {
  PatternArgs args;
  args.program = pointer<const std::int32_t>(block.program);
  args.program_words = block.program_words;
  args.queries = block.queries;
  args.batch = block.batch;
  args.head = block.head;
  args.place = {block.offset, block.keys, block.length, block.causal != 0, block.window_left, block.window_right};
  return args;
}

bool grow(std::uint32_t*& words, std::size_t& capacity, std::size_t wanted) noexcept {
  void* const larger = std::realloc(words, 4 * wanted);
  if (larger == nullptr) {
    arena.refuse(4 * wanted);
    return false;
  }
  words = static_cast<std::uint32_t*>(larger);
  capacity = wanted;
  return true;
}

/// The plan that is made belongs to the caller, who gives it to release().
std::uint32_t run_compile_pattern(std::uint32_t block) {
  const PatternBlock& words = *pointer<PatternBlock>(block);
  const PatternArgs args = pattern_args(words);
  WordSink sink(nullptr, 0, &grow);
  const auto status = static_cast<Status>(
      with_workspace(compile_workspace_floats(args), [&](Workspace scratch) { return compile_pattern(args, sink, scratch); }));
  auto* const plan = pointer<std::uint32_t>(words.plan);
  if (status == Status::Ok) {
    plan[0] = address(sink.words());
    plan[1] = static_cast<std::uint32_t>(4 * sink.size());
  } else {
    std::free(sink.words());
  }
  return static_cast<std::uint32_t>(status);
}

std::uint32_t run_pattern_pairs(std::uint32_t block) {
  const PatternBlock& words = *pointer<PatternBlock>(block);
  PairsArgs args;
  args.pattern = pattern_args(words);
  args.bool_mask = {pointer<const std::uint8_t>(words.bool_mask), 0, 0, words.bool_mask_query, words.bool_mask_key};
  args.float_mask = {pointer<const float>(words.float_mask), 0, 0, words.float_mask_query, words.float_mask_key};
  return with_workspace(pairs_workspace_floats(args), [&](Workspace scratch) {
    return pattern_pairs(args, pointer<std::int32_t>(words.counts), pointer<std::int32_t>(words.indices), scratch);
  });
}

std::uint32_t run_lsh_buckets(std::uint32_t block) {
  const LshBlock& words = *pointer<LshBlock>(block);
  LshArgs args;
  args.batch = words.batch;
  args.heads = words.heads;
  args.tokens = words.tokens;
  args.width = words.width;
  args.x = {pointer<const float>(words.x), words.x_batch, words.x_head, words.x_token};
  args.buckets = words.buckets;
  args.rounds = words.rounds;
  args.seed = {words.seed_low, words.seed_high};
  args.ids = pointer<std::int32_t>(words.ids);
  return with_workspace(lsh_workspace_floats(args), [&](Workspace scratch) { return lsh_buckets(args, scratch); });
}

std::uint32_t unit_count(std::uint32_t block) {
  return static_cast<std::uint32_t>(sparse_units(attention_args(*pointer<AttentionBlock>(block))));
}
std::uint32_t state_floats(std::uint32_t block) {
  return static_cast<std::uint32_t>(sparse_state_floats(attention_args(*pointer<AttentionBlock>(block))));
}

std::uint32_t run_matmul(std::uint32_t block) {
  const MatmulBlock& words = *pointer<MatmulBlock>(block);
  const MatrixView<const float> a = {pointer<const float>(words.a), words.rows, words.inner, words.a_row, words.a_column};
  const MatrixView<const float> b = {pointer<const float>(words.b), words.inner, words.columns, words.b_row, words.b_column};
  const MatrixView<float> c = {pointer<float>(words.c), words.rows, words.columns, words.c_row};
  return with_workspace(matmul_workspace_floats(pool.threads()),
                        [&](Workspace scratch) { return matmul(a, b, pointer<const float>(words.bias), c, scratch, &pool); });
}

std::uint32_t run_softmax(std::uint32_t block) {
  const SoftmaxBlock& words = *pointer<SoftmaxBlock>(block);
  return with_workspace(softmax_workspace_floats(words.length), [&](Workspace scratch) {
    return softmax(static_cast<SoftmaxKind>(words.kind), pointer<const float>(words.x), pointer<float>(words.y), words.outer,
                   words.length, words.inner, scratch);
  });
}

std::uint32_t allocate(std::uint32_t bytes) { return address(std::malloc(bytes)); }
void release(std::uint32_t block) { std::free(pointer<void>(block)); }
std::uint32_t start_threads(std::uint32_t threads) { return static_cast<std::uint32_t>(pool.start(threads)); }
void stop_threads() { pool.stop(); }
std::string status_name(std::uint32_t status) { return std::string(to_string(static_cast<Status>(status))); }
std::uint32_t refused_bytes() { return static_cast<std::uint32_t>(arena.refused_bytes()); }
std::string version() { return FOVEA_VERSION; }
std::string variant() { return FOVEA_VARIANT; }

}  // namespace

EMSCRIPTEN_BINDINGS(fovea) {
  emscripten::function("allocate", &allocate);
  emscripten::function("release", &release);
  emscripten::function("attention", &run_attention);
  emscripten::function("attentionLogits", &run_attention_logits);
  emscripten::function("combine", &run_combine);
  emscripten::function("compilePattern", &run_compile_pattern);
  emscripten::function("patternPairs", &run_pattern_pairs);
  emscripten::function("lshBuckets", &run_lsh_buckets);
  emscripten::function("unitCount", &unit_count);
  emscripten::function("stateFloats", &state_floats);
  emscripten::function("matmul", &run_matmul);
  emscripten::function("softmax", &run_softmax);
  emscripten::function("startThreads", &start_threads);
  emscripten::function("stopThreads", &stop_threads);
  emscripten::function("statusName", &status_name);
  emscripten::function("refusedBytes", &refused_bytes);
  emscripten::function(
      "abiHash", +[] { return abi_hash(); });
  emscripten::function("version", &version);
  emscripten::function("variant", &variant);
}

}  // namespace fovea::wasm
