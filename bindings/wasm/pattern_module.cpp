/// Patterns: compiling, listing pairs, hashing.

#include <emscripten/bind.h>

#include <cstddef>
#include <cstdlib>
#include <limits>

#include "abi.hpp"
#include "attention/pattern/compile.hpp"
#include "attention/pattern/lsh.hpp"
#include "attention/pattern/pairs.hpp"
#include "module.hpp"

namespace fovea::wasm {
namespace {

PatternArgs pattern_args(const PatternBlock& block) noexcept {
  PatternArgs args;
  args.program = block.program;
  args.program_words = block.program_words;
  args.queries = block.queries;
  args.batch = block.batch;
  args.head = block.head;
  args.rules = {block.offset,
                block.keys,
                block.length,
                block.causal != 0,
                block.window_left,
                block.window_right,
                static_cast<Direction>(block.direction)};
  args.rules.appended = block.appended_keys;
  args.edges = block.edges != 0;
  return args;
}

bool grow(std::uint32_t*& words, std::size_t& capacity, std::size_t wanted) noexcept {
  const std::uint64_t bytes = saturated_product(wanted, sizeof(std::uint32_t));
  void* const larger =
      bytes > std::numeric_limits<std::size_t>::max() ? nullptr : std::realloc(words, static_cast<std::size_t>(bytes));
  if (larger == nullptr) {
    arena.refuse(bytes);
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
      with_workspace(compile_workspace_bytes(args), [&](Workspace scratch) { return compile_pattern(args, sink, scratch); }));
  if (status == Status::Ok) {
    words.plan[0] = address(sink.words());
    words.plan[1] = static_cast<std::uint32_t>(4 * sink.size());
  } else {
    std::free(sink.words());
  }
  return static_cast<std::uint32_t>(status);
}

std::uint32_t run_pattern_pairs(std::uint32_t block) {
  const PatternBlock& words = *pointer<PatternBlock>(block);
  PairsArgs args;
  args.pattern = pattern_args(words);
  args.bool_mask = {words.bool_mask, 0, 0, words.bool_mask_query, words.bool_mask_key};
  args.float_mask = {words.float_mask, 0, 0, words.float_mask_query, words.float_mask_key};
  args.key_bool_mask = {words.key_bool_mask, 0, 0, 0, 1};
  args.key_float_mask = {words.key_float_mask, 0, 0, 0, 1};
  return with_workspace(pairs_workspace_bytes(args),
                        [&](Workspace scratch) { return pattern_pairs(args, words.counts, words.indices, scratch); });
}

std::uint32_t run_lsh_buckets(std::uint32_t block) {
  const LshBlock& words = *pointer<LshBlock>(block);
  LshArgs args;
  args.batch = words.batch;
  args.heads = words.heads;
  args.tokens = words.tokens;
  args.width = words.width;
  args.x = {words.x, words.x_batch, words.x_head, words.x_token};
  args.buckets = words.buckets;
  args.rounds = words.rounds;
  args.seed = to_seed(words.seed);
  args.ids = words.ids;
  return with_workspace(lsh_workspace_bytes(args), [&](Workspace scratch) { return lsh_buckets(args, scratch); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(pattern) {
  emscripten::function("compilePattern", &run_compile_pattern);
  emscripten::function("patternPairs", &run_pattern_pairs);
  emscripten::function("lshBuckets", &run_lsh_buckets);
}

}  // namespace fovea::wasm
