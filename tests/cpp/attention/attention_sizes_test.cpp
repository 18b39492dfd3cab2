/// Workspaces of calls whose sizes multiply beyond 2^32, 2^53 and 2^64: told as they are, never wrapped.

#include "attention/multi_dimensional/multi_dimensional.hpp"
#include "attention/pattern/pairs.hpp"
#include "attention/softmax/combine.hpp"
#include "attention/sparse/sparse.hpp"
#include "support/pattern.hpp"
#include "support/problem.hpp"
#include "support/sparse.hpp"

namespace fovea::test {
namespace {

/// In WebAssembly a float index and its bytes end here.
constexpr std::uint64_t kAddresses = std::uint64_t{1} << 32;
constexpr std::size_t kMany = std::size_t{1} << 20, kLargest = kLargestCount;
const float kNumber = 0.5f;

AttentionArgs call(const Sizes& sizes) {
  AttentionArgs args;
  args.batch = sizes.batch;
  args.heads = sizes.heads;
  args.kv_heads = sizes.kv_heads;
  args.queries = sizes.queries;
  args.keys = sizes.keys;
  args.width = sizes.width;
  args.value_width = sizes.value_width;
  return args;
}

/// Refused by any memory that WebAssembly has, and by this workspace before anything is touched.
void expect_beyond_memory(const AttentionArgs& args, const char* what) {
  EXPECT_GE(attention_workspace_bytes(args), kAddresses) << what;
  float memory[64];
  EXPECT_EQ(attention(args, {memory, sizeof memory}), Status::Memory) << what;
}

}  // namespace

TEST(AttentionSizes, WhatOneThreadNeedsIsToldWithoutWrapping) {
  // 264 rows or 64 keys of these widths, beyond 2^32 bytes and, times 4, beyond 2^64.
  for (const std::size_t width : {std::size_t{1} << 24, (std::size_t{1} << 26) + 3, kLargest}) {
    expect_beyond_memory(call({1, 1, 1, 64, 1, 1, width}), "value width");
    expect_beyond_memory(call({1, 1, 1, 64, 1, width, 1}), "width");
  }
}

TEST(AttentionSizes, AFewQueriesAreToldWithoutWrapping) {
  expect_beyond_memory(call({1, 1, 1, 8, 1, kLargest, kLargest}), "widths");
  AttentionArgs args = call({kMany, kMany, 1, 8, kLargest, 1, 1});
  args.variant.relative_keys = args.variant.relative_values = {&kNumber, 0, kLargest};
  expect_beyond_memory(args, "tables");
}

TEST(AttentionSizes, RelativeTablesAndBucketsAreToldWithoutWrapping) {
  for (const std::size_t clip : {std::size_t{2100000}, std::size_t{1} << 29, kLargest}) {
    AttentionArgs args = call({1, 1, 1, 600, 1, 64, 1});
    args.variant.relative_keys = {&kNumber, 0, clip};
    expect_beyond_memory(args, "relative keys");
    args = call({1, 1, 1, 600, 1, 1, 1});
    args.variant.relative_values = {&kNumber, 0, clip};
    EXPECT_GE(attention_workspace_bytes(args), 8 * std::uint64_t{264} * 2100000) << "relative values";
  }
  AttentionArgs args = call({1, 64, 1, 1, 1, 1, 1});
  const std::int32_t offset = 1 << 30;
  args.offsets = &offset;
  args.variant.buckets = {&kNumber, 0, 0, 32, std::size_t{1} << 30, true};
  expect_beyond_memory(args, "buckets");
}

TEST(AttentionSizes, NormalizersOfWholeRowsAreToldWithoutWrapping) {
  for (const NormalizerKind kind : {NormalizerKind::Sparsemax, NormalizerKind::Entmax15, NormalizerKind::TopK}) {
    AttentionArgs args = call({1, 1, 1, 1, kLargest, 1, 1});
    args.variant.normalizer.kind = kind;
    args.variant.normalizer.k = kLargest;
    expect_beyond_memory(args, "whole rows");
  }
}

TEST(AttentionSizes, TheStateOfAPatternsRowsIsToldWithoutWrapping) {
  // Two passes, and rows that carry sums by distance from one to the other.
  const Program program = or_({atrous(3), band(2, 2)});
  PatternArgs pattern;
  pattern.program = program.data();
  pattern.program_words = program.size();
  pattern.queries = 64;
  pattern.rules.keys = pattern.rules.length = 64;
  const CompiledPlan plan = compile(pattern);
  ASSERT_EQ(plan.status, Status::Ok);
  const std::uint32_t* const plans[] = {plan.words.data()};
  AttentionArgs args = call({1, 1, 1, kMany, 64, 1, 1});
  args.plans = plans;
  args.variant.relative_values = {&kNumber, 0, 2048};
  EXPECT_GE(sparse_state_floats(args), std::uint64_t{kMany} * 4097);
  args.value_width = kLargest;
  EXPECT_GE(sparse_state_floats(args), std::uint64_t{kMany} * kLargest);
  expect_beyond_memory(args, "values of a pattern");
}

TEST(AttentionSizes, CallsWithoutResultsNeedNothingAndEndAtOnce) {
  for (const Sizes& sizes : {Sizes{kLargest, kLargest, 1, kLargest, kLargest, 1, 0},
                             Sizes{0, kMany, 1, kMany, kMany, kMany, kMany}, Sizes{kMany, kMany, 1, 0, kMany, kMany, kMany}}) {
    const AttentionArgs args = call(sizes);
    EXPECT_EQ(attention_workspace_bytes(args), 0u);
    EXPECT_EQ(attention(args, {nullptr, 0}), Status::Ok);
    CombineArgs parts;
    parts.batch = sizes.batch;
    parts.heads = sizes.heads;
    parts.queries = sizes.queries;
    parts.value_width = sizes.value_width;
    EXPECT_EQ(combine_workspace_bytes(parts), 0u);
    EXPECT_EQ(combine(parts, {nullptr, 0}), Status::Ok);
  }
  AttentionArgs without_keys = call({kMany, kMany, 1, kMany, 0, 1, kMany});
  EXPECT_EQ(attention_logits_workspace_bytes(without_keys), 0u);
  EXPECT_EQ(attention_logits(without_keys, LogitStage::Raw, nullptr, {nullptr, 0}), Status::Ok);
}

TEST(AttentionSizes, MultiDimensionalAndCombineAreToldWithoutWrapping) {
  for (const std::size_t width : {std::size_t{1} << 24, kLargest}) {
    MultiDimensionalArgs args;
    static_cast<AttentionInputs&>(args.inputs) = call({1, 1, 1, 1, 1, width, width});
    EXPECT_GE(multi_dimensional_workspace_bytes(args), kAddresses);
    float memory[64];
    EXPECT_EQ(multi_dimensional_attention(args, {memory, sizeof memory}), Status::Memory);
  }
  CombineArgs parts;
  parts.batch = parts.heads = parts.queries = 1;
  parts.value_width = kLargest;
  EXPECT_GE(combine_workspace_bytes(parts), 4 * std::uint64_t{kLargest});
}

TEST(AttentionSizes, PatternsOfManyKeysAreToldWithoutWrapping) {
  Program program = atrous(2);
  for (int depth = 0; depth < 63; ++depth) program = not_(program);
  PairsArgs args;
  args.pattern.program = program.data();
  args.pattern.program_words = program.size();
  args.pattern.queries = 1;
  for (const std::size_t keys : {std::size_t{8200000}, std::size_t{1} << 30}) {
    args.pattern.rules.keys = args.pattern.rules.length = keys;
    EXPECT_GE(pairs_workspace_bytes(args), kAddresses);
    EXPECT_GE(compile_workspace_bytes(args.pattern), kAddresses);
  }
}

TEST(AttentionSizes, MemoryForPairsFollowsTheIntervalsOfARowAndNotTheKeys) {
  for (const Program& program : {all(), band(100, 100), not_(or_({band(5, -1), global_tokens({1, 7, 9})})), blocks(64, 1, 1),
                                 and_({atrous(1 << 20), not_(columns(1 << 20, 3, 9))}), random_keys(100, 1, 1),
                                 neighbors(1 << 14, 1 << 14, 3, 3, 1), heads({band(1, 1)})}) {
    PairsArgs args;
    args.pattern.program = program.data();
    args.pattern.program_words = program.size();
    args.pattern.queries = 1;
    args.pattern.rules.keys = args.pattern.rules.length = std::size_t{1} << 30;
    EXPECT_LT(pairs_workspace_bytes(args), std::uint64_t{1} << 19) << program[0];
  }
}

}  // namespace fovea::test
