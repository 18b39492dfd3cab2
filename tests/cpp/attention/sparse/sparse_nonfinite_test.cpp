/// NaN, infinity and huge logits in attention by patterns: nowhere where the pattern forbids, in their own row where it does
/// not.

#include "reference/pattern.hpp"
#include "support/sparse.hpp"

namespace fovea::test {
namespace {

constexpr Sizes kSizes{1, 2, 2, 133, 150, 8, 11};
const std::vector<float> kLoud = {kNan, kInfinity, -kInfinity, kHuge, -kHuge};

/// Tiles, full and partial, aligned and gathered; edges; passes; classes. Each forbids key 70 to some query, or to all.
std::vector<Program> patterns() {
  return {band(20, 9),
          blocks(32, 0, 0),
          columns(16, 3, 5),
          random_keys(3, 1, 7),
          atrous(8),
          or_({band(5, 5), atrous(8), random_keys(2, 1, 3)}),
          and_({band(40, 40), not_(columns(150, 70, 71))}),
          axial(140, 14, 10)};
}

void put(Slab<float>& slab, std::size_t head, std::size_t token, float value) {
  for (std::size_t d = 0; d < slab.width(); ++d) slab.at(0, head, token, d) = value;
}

Outcome run_with(const Problem& problem, const Program& program) {
  SparseCall call(problem, program);
  const Outcome outcome = run(call.args());
  EXPECT_EQ(outcome.status, Status::Ok);
  return outcome;
}

void expect_same_row(const Outcome& outcome, const Outcome& expected, std::size_t row) {
  ASSERT_TRUE(same_bits(outcome.output_row(row, 11), expected.output_row(row, 11))) << "row " << row;
  ASSERT_TRUE(same_bits(outcome.weights_row(row, 150), expected.weights_row(row, 150))) << "row " << row;
  ASSERT_TRUE(same_bits(outcome.lse[row], expected.lse[row])) << "row " << row;
}

void expect_nan_row(const Outcome& outcome, std::size_t row) {
  ASSERT_TRUE(all_nan(outcome.output_row(row, 11))) << "row " << row;
  ASSERT_TRUE(all_nan(outcome.weights_row(row, 150))) << "row " << row;
  ASSERT_TRUE(std::isnan(outcome.lse[row])) << "row " << row;
}

}  // namespace

TEST(SparseNonfinite, WhatAKeyAndValueHoldChangesNoBitOfRowsThatThePatternKeepsFromThem) {
  for (const Program& program : patterns())
    for (const std::size_t key : {0u, 70u, 149u}) {
      Problem problem(kSizes, 71);
      const Outcome expected = run_with(problem, program);
      for (const float loud : kLoud) {
        Problem changed = problem;
        put(changed.k, 1, key, loud);
        put(changed.v, 1, key, loud);
        const Outcome outcome = run_with(changed, program);
        for (std::size_t row = 0; row < 2 * 133; ++row) {
          const auto i = static_cast<std::int64_t>(row % 133);
          if (row >= 133 && allows(program, i, static_cast<std::int64_t>(key), 0, 1, 150)) continue;
          expect_same_row(outcome, expected, row);
          ASSERT_FALSE(HasFatalFailure()) << "op " << program[0] << ", key " << key << " holds " << loud;
        }
      }
    }
}

TEST(SparseNonfinite, WhatAMaskForbidsWithinThePatternChangesNoBit) {
  for (const Program& program : patterns()) {
    Problem problem(kSizes, 72);
    problem.bool_mask = PairsMask<std::uint8_t>(1, 1, 1, 150, 0);
    problem.bool_mask.fill([] { return std::uint8_t{1}; });
    problem.bool_mask.at(0, 0, 0, 70) = 0;
    const Outcome expected = run_with(problem, program);
    for (const float loud : kLoud) {
      Problem changed = problem;
      for (const std::size_t h : {0u, 1u}) {
        put(changed.k, h, 70, loud);
        put(changed.v, h, 70, loud);
      }
      ASSERT_TRUE(same_bits(run_with(changed, program), expected)) << "op " << program[0] << ", " << loud;
    }
  }
}

TEST(SparseNonfinite, AKeyOfNanMakesExactlyTheRowsNanThatSeeIt) {
  for (const Program& program : patterns())
    for (const std::size_t key : {3u, 70u, 131u}) {
      Problem problem(kSizes, 73);
      const Outcome expected = run_with(problem, program);
      put(problem.k, 0, key, kNan);
      const Outcome outcome = run_with(problem, program);
      for (std::size_t row = 0; row < 2 * 133; ++row) {
        if (row < 133 && allows(program, static_cast<std::int64_t>(row), static_cast<std::int64_t>(key), 0, 0, 150)) {
          expect_nan_row(outcome, row);
        } else {
          expect_same_row(outcome, expected, row);
        }
        ASSERT_FALSE(HasFatalFailure()) << "op " << program[0] << ", key " << key;
      }
    }
}

TEST(SparseNonfinite, ANanOrInfiniteLogitMakesItsRowNanEvenWhereItIsTheOnlyAllowedOne) {
  const std::vector<Program> patterns_of_one = {band(0, 0), and_({band(0, 0), not_(columns(2, 0, 1))}), atrous(1000),
                                                band(40, 40)};
  for (const Program& program : patterns_of_one)
    for (const float loud : {kNan, -kNan, kInfinity})
      for (const std::size_t i : {1u, 63u, 131u}) {
        Problem problem(kSizes, 74);
        problem.float_mask = PairsMask<float>(1, 2, 133, 150, 0);
        const Outcome expected = run_with(problem, program);
        problem.float_mask.at(0, 1, i, i) = loud;
        const Outcome outcome = run_with(problem, program);
        for (std::size_t row = 0; row < 2 * 133; ++row) {
          row == 133 + i ? expect_nan_row(outcome, row) : expect_same_row(outcome, expected, row);
          ASSERT_FALSE(HasFatalFailure()) << loud << " at query " << i;
        }
      }
}

TEST(SparseNonfinite, ANanQueryMakesItsRowNanAndNoOther) {
  for (const Program& program : {band(20, 9), or_({blocks(32, 0, 0), atrous(8)}), or_({band(0, 0), random_keys(3, 1, 7)})}) {
    Problem problem(kSizes, 78);
    const Outcome expected = run_with(problem, program);
    for (const std::size_t i : {0u, 5u, 63u, 132u}) {
      Problem changed = problem;
      changed.q.at(0, 1, i, 5) = kNan;
      const Outcome outcome = run_with(changed, program);
      for (std::size_t row = 0; row < 2 * 133; ++row) {
        row == 133 + i ? expect_nan_row(outcome, row) : expect_same_row(outcome, expected, row);
        ASSERT_FALSE(HasFatalFailure()) << "op " << program[0] << ", query " << i;
      }
    }
  }
}

TEST(SparseNonfinite, ANonfiniteValueReachesItsColumnOfTheRowsThatSeeItAndNothingElse) {
  for (const Program& program : patterns())
    for (const float loud : {kNan, kInfinity, -kInfinity}) {
      Problem problem(kSizes, 75);
      const Outcome expected = run_with(problem, program);
      problem.v.at(0, 0, 70, 9) = loud;
      const Outcome outcome = run_with(problem, program);
      for (std::size_t row = 0; row < 2 * 133; ++row)
        for (std::size_t d = 0; d < 11; ++d) {
          const bool sees = row < 133 && d == 9 && allows(program, static_cast<std::int64_t>(row), 70, 0, 0, 150);
          const float wanted = sees ? loud : expected.output[row * 11 + d];
          ASSERT_TRUE(same_bits(outcome.output[row * 11 + d], wanted)) << "op " << program[0] << ", row " << row;
        }
      ASSERT_TRUE(same_bits(std::span<const float>(outcome.weights), std::span<const float>(expected.weights)));
    }
}

TEST(SparseNonfinite, RowsWithoutKeysAreZeroAndTheirSumIsMinusInfinity) {
  Problem problem(kSizes, 76);
  problem.sinks = {0.5f, 2.0f};
  problem.offsets = {-40};
  for (const Program& program : {not_(all()), axial(60, 6, 10), segments({30, 20}), or_({segments({30}), axial(60, 6, 10)})}) {
    const Outcome outcome = run_with(problem, program);
    for (std::size_t row = 0; row < 2 * 133; ++row) {
      const std::int64_t p = static_cast<std::int64_t>(row % 133) - 40;
      bool any = false;
      for (std::int64_t j = 0; j < 150; ++j) any = any || allows(program, p, j, 0, row / 133, 150);
      ASSERT_EQ(outcome.lse[row] == -kInfinity, !any) << "row " << row;
      if (any) continue;
      ASSERT_TRUE(all_zero(outcome.output_row(row, 11)));
      ASSERT_TRUE(all_zero(outcome.weights_row(row, 150)));
    }
    ASSERT_TRUE(agrees(problem, program));
  }
}

TEST(SparseNonfinite, HugeLogitsAreAsExactAsTheDefinition) {
  for (const Program& program : patterns()) {
    Problem problem(kSizes, 77);
    for (const float scale : {30.0f, 1000.0f, -300.0f}) {
      problem.scale = scale;
      ASSERT_TRUE(agrees(problem, program)) << "op " << program[0];
    }
  }
}

}  // namespace fovea::test
