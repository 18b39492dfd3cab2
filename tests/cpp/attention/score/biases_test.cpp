/// Biases of every kind, on every path that computes scores.

#include "support/biases.hpp"
#include "support/draw.hpp"
#include "support/sparse.hpp"

namespace fovea::test {
namespace {

/// Few keys of each row, no two rows alike: edges.
Program scattered(std::size_t queries, std::size_t keys, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<std::int32_t>> list(queries);
  for (auto& row : list) {
    for (std::size_t n = 0; n < 3; ++n) row.push_back(static_cast<std::int32_t>(random.size(0, keys - 1)));
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return lists({1, 1, queries, keys}, list);
}

struct NamedProgram {
  const char* name;
  Program program;
};

/// One for each way that a plan computes pairs.
std::vector<NamedProgram> programs_for(std::size_t queries, std::size_t keys) {
  return {{"full tiles", all()},
          {"partial tiles", band(40, 40)},
          {"gathered tiles", columns(16, 3, 5)},
          {"edges", scattered(queries, keys, 5)},
          {"tiles and edges", or_({band(30, 30), scattered(queries, keys, 6)})},
          {"passes", or_({band(5, 5), atrous(8), atrous(6)})}};
}

}  // namespace

TEST(Biases, EveryKindAgreesForManyQueriesAndForFew) {
  for (const BiasKind kind : bias_kinds()) {
    for (const std::size_t queries : {1u, 3u, 5u, 9u, 63u, 65u})
      for (const std::size_t keys : {1u, 3u, 5u, 63u, 65u, 130u}) {
        Problem problem({1, 2, 1, queries, keys, 7, 9}, 10 * queries + keys, kGaps);
        set_bias(problem, kind, queries + keys);
        ASSERT_TRUE(agrees(problem)) << name_of(kind);
      }
  }
}

TEST(Biases, EveryKindAgreesAcrossChunksOfKeysAndBlocksOfQueries) {
  for (const BiasKind kind : bias_kinds()) {
    for (const auto& [queries, keys] : {std::pair<std::size_t, std::size_t>{3, 2100}, {300, 70}}) {
      Problem problem({2, 2, 2, queries, keys, 8, 5}, 3);
      set_bias(problem, kind, 4, 20);
      problem.offsets = {static_cast<std::int32_t>(keys) - 2, 7};
      ASSERT_TRUE(agrees(problem)) << name_of(kind);
    }
  }
}

TEST(Biases, EveryKindAgreesAtEveryWidth) {
  for (const BiasKind kind : bias_kinds()) {
    for (const std::size_t width : {1u, 2u, 4u, 8u, 80u, 256u})
      for (const std::size_t queries : {2u, 20u}) {
        Problem problem({1, 1, 1, queries, 70, width, 81 - std::min<std::size_t>(width, 80)}, width);
        set_bias(problem, kind, width);
        ASSERT_TRUE(agrees(problem)) << name_of(kind);
      }
  }
}

TEST(Biases, PositionsBeforeTheKeysAmongThemAndFarBehindThemCount) {
  for (const BiasKind kind : bias_kinds()) {
    for (const std::int32_t offset : {-1000, -70, -3, 0, 5, 60, 90, 5000})
      for (const std::size_t queries : {4u, 30u}) {
        Problem problem({1, 2, 2, queries, 90, 6, 5}, 11);
        set_bias(problem, kind, 12);
        problem.offsets = {offset};
        ASSERT_TRUE(agrees(problem)) << name_of(kind);
      }
  }
}

TEST(Biases, EveryKindAgreesOnEveryWayOfAPattern) {
  for (const BiasKind kind : bias_kinds()) {
    for (const auto& [name, program] : programs_for(130, 150)) {
      for (const std::int32_t offset : {0, 15}) {
        Problem problem({1, 2, 1, 130, 150, 8, 9}, 13, kGaps);
        set_bias(problem, kind, 14);
        if (offset != 0) problem.offsets = {offset};
        ASSERT_TRUE(agrees(problem, program)) << name_of(kind) << ", " << name;
      }
    }
  }
}

TEST(Biases, EveryRandomCombinationWithAllOtherOptionsAgrees) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Problem problem = draw_problem(seed + 20000);
    draw_biases(problem, seed);
    ASSERT_TRUE(agrees(problem)) << "seed " << seed;
  }
}

TEST(Biases, SoItDoesWithARandomPattern) {
  const std::vector<std::size_t> widths = {1, 7, 16, 33};
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Problem problem = draw_problem(seed + 30000, {.queries = {1, 3, 5, 31, 65}, .keys = {1, 5, 63, 65, 130}, .widths = widths});
    draw_biases(problem, seed);
    Random random(seed);
    const Sizes& s = problem.sizes;
    ASSERT_TRUE(agrees(problem, draw_pattern({s.batch, s.heads, s.queries, s.keys}, random))) << "seed " << seed;
  }
}

TEST(Biases, LogitsOfEveryStageAgree) {
  for (const BiasKind kind : bias_kinds()) {
    for (const float softcap : {0.0f, 3.0f}) {
      Problem problem({1, 2, 1, 30, 70, 8, 4}, 15);
      set_bias(problem, kind, 16);
      problem.softcap = softcap;
      const LogitsOracle oracle = problem.logits_oracle();
      SparseCall open(problem, all(), false), placed(problem, or_({band(10, 10), scattered(30, 70, 7)}));
      for (const auto& [stage, expected] : {std::pair{LogitStage::Raw, &oracle.raw},
                                            {LogitStage::Capped, &oracle.capped},
                                            {LogitStage::Biased, &oracle.biased}}) {
        const LogitsOutcome outcome = run_logits(problem.args(), stage);
        ASSERT_EQ(outcome.status, Status::Ok);
        ASSERT_TRUE(within_tolerance(outcome.logits, *expected)) << name_of(kind) << static_cast<int>(stage);
        if (stage == LogitStage::Biased) continue;
        ASSERT_TRUE(within_tolerance(run_logits(open.args(), stage).logits, *expected)) << name_of(kind);
      }
      const Program program = or_({band(10, 10), scattered(30, 70, 7)});
      const LogitsOutcome outcome = run_logits(SparseCall(problem, program).args(), LogitStage::Biased);
      ASSERT_TRUE(within_tolerance(outcome.logits, with_pattern_as_masks(problem, program).logits_oracle().biased))
          << name_of(kind);
    }
  }
}

TEST(Biases, ADirectionLeavesItsOwnPlaceAndTheOtherSideOutWhateverTheyHold) {
  for (const Direction direction : {Direction::Forward, Direction::Backward}) {
    for (const std::size_t queries : {5u, 70u}) {
      Problem problem({1, 1, 1, queries, 70, 8, 5}, 17);
      problem.direction = direction;
      problem.offsets = {direction == Direction::Forward ? -30 : 30};
      ASSERT_TRUE(agrees(problem));
      const Outcome expected = run(problem);
      // Forward: the last query, at position queries - 31, sees keys before it. Backward: the first, at 30, those behind.
      const std::size_t from = direction == Direction::Forward ? (queries > 31 ? queries - 31 : 0) : 0;
      const std::size_t to = direction == Direction::Forward ? 70 : 31;
      for (std::size_t j = from; j < to; ++j)
        for (std::size_t d = 0; d < 8; ++d) {
          problem.k.at(0, 0, j, d) = kNan;
          if (d < 5) problem.v.at(0, 0, j, d) = kInfinity;
        }
      EXPECT_TRUE(same_bits(run(problem), expected));
      for (const auto& [name, program] : programs_for(queries, 70)) {
        Problem quiet = problem;
        for (std::size_t j = from; j < to; ++j)
          for (std::size_t d = 0; d < 8; ++d) {
            quiet.k.at(0, 0, j, d) = 1;
            if (d < 5) quiet.v.at(0, 0, j, d) = 1;
          }
        EXPECT_TRUE(same_bits(run(SparseCall(problem, program).args()), run(SparseCall(quiet, program).args()))) << name;
      }
    }
  }
}

TEST(Biases, AnEmptyDirectionIsAnEmptyRow) {
  Problem problem({1, 1, 1, 40, 40, 4, 3}, 18);
  set_bias(problem, BiasKind::All, 18);
  const Outcome outcome = run(problem);
  EXPECT_TRUE(all_zero(outcome.output_row(0, 3)));
  EXPECT_TRUE(all_zero(outcome.weights_row(0, 40)));
  EXPECT_EQ(outcome.lse[0], -kInfinity);
  EXPECT_NE(outcome.lse[1], -kInfinity);
}

TEST(Biases, LargeScoresAreRefinedWithEveryKind) {
  for (const BiasKind kind : bias_kinds()) {
    for (const float size : {30.0f, 300.0f, 3000.0f})
      for (const std::size_t queries : {2u, 40u}) {
        Problem problem({1, 1, 1, queries, 130, 64, 8}, 19);
        set_bias(problem, kind, 20);
        for (std::size_t i = 0; i < queries; ++i)
          for (std::size_t d = 0; d < 64; ++d) problem.q.at(0, 0, i, d) *= size;
        EXPECT_TRUE(agrees(problem)) << name_of(kind) << " " << size;
        EXPECT_TRUE(agrees(problem, or_({band(10, 10), scattered(queries, 130, 8)}))) << name_of(kind) << " " << size;
      }
  }
}

TEST(Biases, TheGaussianTakesCentresFarAwayAndWidthsOfAnySize) {
  for (const float sigma : {1e-3f, 0.1f, 1.0f, 100.0f, 1e6f})
    for (const float center : {-100.0f, 0.0f, 3.5f, 8.0f, 1000.0f}) {
      // Too far for float32: every logit is -inf, as it is in the plain definition.
      if (sigma < 0.1f && center != 0.0f && center != 8.0f) continue;
      Problem problem({1, 1, 1, 10, 20, 4, 3}, 21);
      problem.variant.gaussian_center = {problem.hold({center})};
      problem.variant.gaussian_sigma = {problem.hold({sigma})};
      EXPECT_TRUE(agrees(problem)) << center << ", " << sigma;
    }
}

}  // namespace fovea::test
