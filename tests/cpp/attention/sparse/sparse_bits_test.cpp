/// Bits of attention by patterns: their dependences, and where they equal those of dense attention.

#include "support/scratch.hpp"
#include "support/sparse.hpp"

namespace fovea::test {
namespace {

Problem busy(const Sizes& sizes, std::uint64_t seed) {
  Problem problem(sizes, seed);
  Random random(seed);
  problem.softcap = seed % 2 == 0 ? 15.0f : 0.0f;
  problem.causal = true;
  problem.offsets.assign(sizes.batch, 20);
  problem.key_lengths.assign(sizes.batch, static_cast<std::int32_t>(sizes.keys - 3));
  problem.bool_mask = PairsMask<std::uint8_t>(sizes.batch, 1, sizes.queries, sizes.keys, 0);
  problem.bool_mask.fill([&] { return static_cast<std::uint8_t>(random.chance(0.9)); });
  problem.slopes.assign(sizes.heads, 0.01f);
  problem.sinks.assign(sizes.heads, 1.0f);
  return problem;
}

struct Case {
  Problem problem;
  Program program;
};

/// One pass, several passes, edges; long enough for threads to share the work.
std::vector<Case> long_cases() {
  const Sizes sizes = {1, 2, 1, 190, 230, 32, 32};
  return {{busy(sizes, 61), or_({band(60, 10), atrous(8), columns(16, 0, 2)})},
          {busy(sizes, 62), blocks(64, 1, 1)},
          {Problem({2, 1, 1, 300, 200, 32, 32}, 63), heads({or_({band(90, 90), random_keys(20, 1, 5)})})},
          {Problem(sizes, 64), and_({or_({axial(200, 10, 10), band(100, 100)}), not_(columns(9, 2, 3))})}};
}

Outcome run_with(const Case& one, SparseCall& call, ThreadPool* pool = nullptr) {
  return run(call.args(), Want::All, one.problem.arrangement, 0, kPoison, pool);
}

}  // namespace

TEST(SparseBits, AnyNumberOfThreadsGivesTheSame) {
  for (const Case& one : long_cases()) {
    SparseCall call(one.problem, one.program);
    const Pairs pairs = pairs_of(one.problem, one.program);
    const Outcome alone = run(call.args_with(pairs));
    const std::vector<float> values(call.values().begin(), call.values().end());
    const LogitsOutcome logits = run_logits(call.args(), LogitStage::Biased);
    for (const std::size_t threads : {1u, 2u, 3u, 5u}) {
      ThreadPool pool;
      ASSERT_EQ(pool.start(threads), kHasThreads ? threads : 1u);
      const Outcome shared = run_on_pool(call.args_with(pairs), pool);
      ASSERT_TRUE(shared.memory);
      ASSERT_TRUE(same_bits(shared, alone)) << threads << " threads";
      ASSERT_TRUE(same_bits(call.values(), values)) << threads << " threads";
      ASSERT_TRUE(same_bits(run_logits(call.args(), LogitStage::Biased, 0, &pool).logits, logits.logits)) << threads;
    }
  }
}

TEST(SparseBits, UnitsInSlicesGiveWhatOneCallGives) {
  for (const Case& one : long_cases()) {
    SparseCall call(one.problem, one.program);
    const Pairs pairs = pairs_of(one.problem, one.program);
    const Outcome expected = run(call.args_with(pairs));
    const std::vector<float> expected_values(call.values().begin(), call.values().end());
    const LogitsOutcome expected_logits = run_logits(call.args(), LogitStage::Biased);
    for (const std::size_t step : {std::size_t{1}, std::size_t{3}, call.units()}) {
      AttentionArgs args = call.args_with(pairs);
      const std::size_t rows = args.batch * args.heads * args.queries;
      std::vector<float> output(rows * args.value_width, kPoison), weights(rows * args.keys, kPoison), lse(rows, kPoison);
      std::vector<float> logits(rows * args.keys, kPoison), scratch(floats_of(attention_workspace_bytes(args)));
      const auto head = static_cast<std::ptrdiff_t>(args.queries * args.value_width);
      args.output = {output.data(), head * static_cast<std::ptrdiff_t>(args.heads), head,
                     static_cast<std::ptrdiff_t>(args.value_width)};
      args.weights = weights.data();
      args.lse = lse.data();
      for (std::size_t from = 0; from < call.units(); from += step) {
        args.unit_from = from;
        args.unit_to = from + step;
        ASSERT_EQ(attention(args, Workspace(scratch.data(), scratch.size() * sizeof(float))), Status::Ok);
        ASSERT_EQ(attention_logits(args, LogitStage::Biased, logits.data(),
                                   Workspace(scratch.data(), scratch.size() * sizeof(float))),
                  Status::Ok);
      }
      ASSERT_TRUE(same_bits(std::span<const float>(output), std::span<const float>(expected.output))) << "step " << step;
      ASSERT_TRUE(same_bits(std::span<const float>(weights), std::span<const float>(expected.weights))) << "step " << step;
      ASSERT_TRUE(same_bits(std::span<const float>(lse), std::span<const float>(expected.lse))) << "step " << step;
      ASSERT_TRUE(same_bits(std::span<const float>(logits), std::span<const float>(expected_logits.logits)));
      ASSERT_TRUE(same_bits(call.values(), expected_values)) << "step " << step;
    }
  }
}

TEST(SparseBits, ASliceWritesTheRowsOfItsUnitsAndNoOther) {
  const Problem problem({1, 2, 1, 130, 150, 16, 9}, 68);
  SparseCall call(problem, or_({blocks(24, 1, 0), random_keys(2, 1, 4)}));
  const Outcome whole = run(call.args());
  std::size_t unit = 0, written = 0;
  for (std::size_t h = 0; h < 2; ++h) {
    const Plan plan(call.plans()[h].data());
    ASSERT_EQ(plan.passes(), 1u);
    ASSERT_GT(plan.units(), 1u);
    for (std::size_t u = 0; u < plan.units(); ++u, ++unit) {
      const PlanReader reader(plan.unit(u));
      std::vector<bool> in_unit(2 * 130);
      for (std::size_t row = 0; row < reader.rows.count; ++row) in_unit[h * 130 + reader.rows.at(row)] = true;
      AttentionArgs args = call.args();
      args.unit_from = unit;
      args.unit_to = unit + 1;
      const Outcome slice = run(args);
      for (std::size_t row = 0; row < 2 * 130; ++row) {
        written += in_unit[row];
        ASSERT_TRUE(in_unit[row] ? same_bits(slice.output_row(row, 9), whole.output_row(row, 9))
                                 : all_poison(slice.output_row(row, 9)));
        ASSERT_TRUE(in_unit[row] ? same_bits(slice.weights_row(row, 150), whole.weights_row(row, 150))
                                 : all_poison(slice.weights_row(row, 150)));
        ASSERT_EQ(is_poison(slice.lse[row]), !in_unit[row]);
      }
    }
  }
  EXPECT_EQ(unit, call.units());
  EXPECT_EQ(written, 2u * 130u);
}

TEST(SparseBits, AskingForWeightsOrLseChangesNoBitOfTheOutput) {
  for (const Case& one : long_cases()) {
    SparseCall call(one.problem, one.program);
    const Pairs pairs = pairs_of(one.problem, one.program);
    const Outcome all = run_with(one, call);
    ASSERT_TRUE(same_bits(run(call.args(), Want::Output).output, all.output));
    ASSERT_TRUE(same_bits(run(call.args(), Want::Weights).weights, all.weights));
    const Outcome sparse = run(call.args_with(pairs), Want::Lse);
    ASSERT_TRUE(same_bits(sparse.output, all.output));
    ASSERT_TRUE(same_bits(sparse.lse, all.lse));
  }
}

TEST(SparseBits, WhatWorkspaceAndStateHeldBeforeReachesNothing) {
  for (const Case& one : long_cases()) {
    SparseCall call(one.problem, one.program);
    const Outcome expected = run_with(one, call);
    for (const float filler : {0.0f, kHuge, kNan}) {
      ASSERT_TRUE(same_bits(run(call.args(), Want::All, {}, 0, filler), expected)) << filler;
    }
  }
}

TEST(SparseBits, BlocksWithoutEdgesHaveTheBitsOfDenseAttentionWithTheSameMask) {
  for (const std::uint64_t seed : {65u, 66u}) {
    Problem problem({1, 2, 1, 288, 288, 16, 9}, seed);
    if (seed == 66) {
      problem.softcap = 5;
      problem.sinks = {0.5f, -0.5f};
    }
    for (const Program& program : {blocks(96, 0, 0), blocks(96, 1, 0), all()}) {
      SparseCall call(problem, program);
      const PlanCounts counts = counts_of(call.plans()[0]);
      ASSERT_EQ(counts.edges, 0u);
      ASSERT_EQ(counts.gathered_tiles, 0u);
      ASSERT_TRUE(same_bits(run(call.args()), run(with_pattern_as_masks(problem, program))));
    }
  }
}

TEST(SparseBits, RowsOfAWindowWithoutEdgesHaveTheBitsOfTheWindowAsAnOption) {
  const Problem problem({1, 1, 1, 300, 400, 16, 9}, 67);
  Problem windowed = problem;
  windowed.window_left = 90;
  windowed.window_right = 70;
  SparseCall call(problem, band(90, 70));
  ASSERT_EQ(counts_of(call.plans()[0]).gathered_tiles, 0u);
  std::vector<bool> has_edges(300);
  for_each_pair(call.plans()[0], [&](std::size_t, std::size_t, std::size_t query, std::size_t, bool edge) {
    if (edge) has_edges[query] = true;
  });
  const Outcome sparse = run(call.args()), dense = run(windowed);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    if (has_edges[i]) continue;
    ++compared;
    ASSERT_TRUE(same_bits(sparse.output_row(i, 9), dense.output_row(i, 9))) << "query " << i;
    ASSERT_TRUE(same_bits(sparse.weights_row(i, 400), dense.weights_row(i, 400))) << "query " << i;
    ASSERT_TRUE(same_bits(sparse.lse[i], dense.lse[i])) << "query " << i;
  }
  EXPECT_GT(compared, 100u);
}

}  // namespace fovea::test
