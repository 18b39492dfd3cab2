/// Patterns: compiling, listing pairs, hashing.

#include <emscripten/bind.h>

#include <cstddef>
#include <cstdlib>

#include "attention/lsh.hpp"
#include "attention/pattern/compile.hpp"
#include "attention/pattern/pairs.hpp"
#include "module.hpp"
#include "pattern_blocks.hpp"

namespace fovea::wasm {
namespace {

PatternArgs pattern_args(const PatternBlock& block) noexcept {
  PatternArgs args;
  args.program = pointer<const std::int32_t>(block.program);
  args.program_words = block.program_words;
  args.queries = block.queries;
  args.batch = block.batch;
  args.head = block.head;
  args.place = {block.offset,
                block.keys,
                block.length,
                block.causal != 0,
                block.window_left,
                block.window_right,
                static_cast<Direction>(block.direction)};
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

}  // namespace

EMSCRIPTEN_BINDINGS(pattern) {
  emscripten::function("compilePattern", &run_compile_pattern);
  emscripten::function("patternPairs", &run_pattern_pairs);
  emscripten::function("lshBuckets", &run_lsh_buckets);
}

}  // namespace fovea::wasm
