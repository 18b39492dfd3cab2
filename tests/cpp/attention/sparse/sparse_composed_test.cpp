/// Attention by a pattern is attention with a mask that says the same: any tree, any option.

#include "reference/pattern.hpp"
#include "support/draw.hpp"
#include "support/sparse.hpp"

namespace fovea::test {
namespace {

const std::vector<std::size_t> kWidths = {1, 7, 16, 33};
const DrawnSizes kSmall = {.queries = {1, 2, 3, 5, 31, 63, 65}, .keys = {1, 3, 5, 63, 64, 65, 130}, .widths = kWidths};
const DrawnSizes kLong = {.queries = {63, 65, 130, 300}, .keys = {65, 130, 300}, .widths = {7, 16}};

Program draw_pattern_for(const Problem& problem, std::uint64_t seed) {
  Random random(seed * 31);
  const Sizes& s = problem.sizes;
  return draw_pattern({s.batch, s.heads, s.queries, s.keys}, random);
}

/// Logits of the pattern's pairs are the definition's, others -inf.
void check_logits(const Problem& problem, const Program& program) {
  const Sizes& s = problem.sizes;
  const LogitsOracle oracle = with_pattern_as_masks(problem, program).logits_oracle();
  SparseCall placed(problem, program), open(problem, program, false);
  const LogitsOutcome biased = run_logits(placed.args(), LogitStage::Biased);
  ASSERT_EQ(biased.status, Status::Ok);
  ASSERT_TRUE(within_tolerance(biased.logits, oracle.biased));
  for (const auto& [stage, all_pairs] : {std::pair{LogitStage::Raw, &oracle.raw}, {LogitStage::Capped, &oracle.capped}}) {
    Oracle expected = *all_pairs;
    std::size_t at = 0;
    for (std::size_t b = 0; b < s.batch; ++b)
      for (std::size_t h = 0; h < s.heads; ++h)
        for (std::size_t i = 0; i < s.queries; ++i)
          for (std::size_t j = 0; j < s.keys; ++j, ++at) {
            const std::int64_t p = problem.args().position_rules(b).position(i);
            if (!allows(program, p, static_cast<std::int64_t>(j), b, h, s.keys))
              expected.truth[at] = -std::numeric_limits<double>::infinity();
          }
    const LogitsOutcome outcome = run_logits(open.args(), stage);
    ASSERT_EQ(outcome.status, Status::Ok);
    ASSERT_TRUE(within_tolerance(outcome.logits, expected)) << "stage " << static_cast<int>(stage);
  }
}

}  // namespace

TEST(SparseComposed, ARandomTreeWithRandomOptionsIsAttentionWithTheSameMask) {
  for (std::uint64_t seed = 1; seed <= 220; ++seed) {
    const Problem problem = draw_problem(seed, kSmall);
    ASSERT_TRUE(agrees(problem, draw_pattern_for(problem, seed))) << "seed " << seed;
  }
}

TEST(SparseComposed, SoItIsWhereBlocksAndPassesAreMany) {
  for (std::uint64_t seed = 1001; seed <= 1006; ++seed) {
    const Problem problem = draw_problem(seed, kLong);
    ASSERT_TRUE(agrees(problem, draw_pattern_for(problem, seed))) << "seed " << seed;
  }
}

TEST(SparseComposed, EveryLengthAndWidthIsRightForTilesAndEdges) {
  std::uint64_t seed = 2000;
  for (const std::size_t queries : {1u, 3u, 5u, 63u, 65u, 130u})
    for (const std::size_t keys : {1u, 3u, 5u, 63u, 65u, 130u}) {
      const std::vector<std::size_t> widths = {1, 7, 16, 33, 80};
      const std::size_t width = widths[seed % 5], value_width = widths[seed / 5 % 5];
      const Problem problem({1, 2, 1, queries, keys, width, value_width}, ++seed, kGaps);
      for (const Program& program : {band(20, 9), random_keys(3, 1, seed), atrous(5)}) {
        ASSERT_TRUE(agrees(problem, program)) << "op " << program[0];
      }
    }
}

TEST(SparseComposed, TheLogitsOfAPatternAreTheDefinitionsAndMinusInfinityElsewhere) {
  for (std::uint64_t seed = 3001; seed <= 3040; ++seed) {
    const Problem problem = draw_problem(seed, kSmall);
    check_logits(problem, draw_pattern_for(problem, seed));
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed << ", " << problem.describe();
  }
}

}  // namespace fovea::test
