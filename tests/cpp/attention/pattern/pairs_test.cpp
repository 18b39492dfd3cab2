/// The pairs that are allowed by a pattern, rules of place and masks together.

#include "attention/pattern/pairs.hpp"

#include "reference/pattern.hpp"
#include "support/draw.hpp"
#include "support/scratch.hpp"
#include "support/sparse.hpp"

namespace fovea::test {

TEST(PatternPairs, ThePairsAreThoseOfThePatternThatRulesOfPlaceAndMasksAllow) {
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    const Problem problem = draw_problem(seed, {.queries = {1, 2, 5, 31, 65}, .keys = {1, 3, 32, 64, 70}, .widths = {1}});
    const Sizes& s = problem.sizes;
    Random random(seed);
    const Program program = draw_pattern({s.batch, s.heads, s.queries, s.keys}, random);
    const AttentionArgs args = problem.args();
    Pairs expected;
    expected.indptr = {0};
    for (std::size_t b = 0; b < s.batch; ++b)
      for (std::size_t h = 0; h < s.heads; ++h)
        for (std::size_t i = 0; i < s.queries; ++i) {
          for (std::size_t j = 0; j < s.keys; ++j) {
            const std::int64_t p = args.position_rules(b).position(i);
            if (!attention_allows(args, b, h, i, j) || !allows(program, p, static_cast<std::int64_t>(j), b, h, s.keys))
              continue;
            expected.indices.push_back(static_cast<std::int32_t>(j));
          }
          expected.indptr.push_back(static_cast<std::int32_t>(expected.indices.size()));
        }
    const Pairs pairs = pairs_of(problem, program);
    ASSERT_EQ(pairs.indptr, expected.indptr) << "seed " << seed << ", " << problem.describe();
    ASSERT_EQ(pairs.indices, expected.indices) << "seed " << seed << ", " << problem.describe();
  }
}

TEST(PatternPairs, CountsAloneAreTheSameCounts) {
  for (std::uint64_t seed = 301; seed <= 330; ++seed) {
    const Problem problem = draw_problem(seed, {.queries = {5, 31}, .keys = {3, 64, 70}, .widths = {1}});
    Random random(seed);
    const Program program =
        draw_pattern({problem.sizes.batch, problem.sizes.heads, problem.sizes.queries, problem.sizes.keys}, random);
    const Pairs pairs = pairs_of(problem, program);
    PairsArgs args;
    args.pattern = pattern_args(problem, program, 0, 0);
    args.bool_mask = problem.bool_mask.view();
    args.float_mask = problem.float_mask.view();
    std::vector<std::int32_t> counts(problem.sizes.queries);
    Scratch scratch(pairs_workspace_bytes(args), 0, kPoison);
    ASSERT_EQ(pattern_pairs(args, counts.data(), nullptr, scratch.workspace()), Status::Ok);
    for (std::size_t i = 0; i < counts.size(); ++i) ASSERT_EQ(counts[i], pairs.indptr[i + 1] - pairs.indptr[i]);
  }
}

TEST(PatternPairs, ErrorsAreTold) {
  const Problem problem({1, 1, 1, 5, 70, 1, 1}, 1);
  PairsArgs args;
  const Program program = or_({band(2, 2), atrous(3)}), malformed = atrous(0);
  args.pattern = pattern_args(problem, program, 0, 0);
  std::int32_t counts[5];
  Scratch small(pairs_workspace_bytes(args), 16, kPoison), enough(pairs_workspace_bytes(args), 0, kPoison);
  EXPECT_EQ(pattern_pairs(args, counts, nullptr, small.workspace()), Status::Memory);
  EXPECT_TRUE(small.guard_intact());
  args.pattern.rules.length = 71;
  EXPECT_EQ(pattern_pairs(args, counts, nullptr, enough.workspace()), Status::Value);
  args.pattern = pattern_args(problem, malformed, 0, 0);
  EXPECT_EQ(pairs_workspace_bytes(args), 0u);
  EXPECT_EQ(pattern_pairs(args, counts, nullptr, enough.workspace()), Status::Value);
}

}  // namespace fovea::test
