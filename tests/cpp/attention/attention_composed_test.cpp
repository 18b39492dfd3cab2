/// All options at once, drawn at random, each call against the definition.

#include "support/draw.hpp"

namespace fovea::test {

TEST(AttentionComposed, EveryRandomCombinationOfOptionsAgreesWithTheDefinition) {
  for (std::uint64_t seed = 1; seed <= 800; ++seed) ASSERT_TRUE(agrees(draw_problem(seed))) << "seed " << seed;
}

TEST(AttentionComposed, TheLogitsOfARandomCombinationAgreeWithTheDefinition) {
  for (std::uint64_t seed = 5001; seed <= 5100; ++seed) {
    const Problem problem = draw_problem(seed);
    const LogitsOutcome outcome = run_logits(problem.args(), LogitStage::Biased);
    ASSERT_EQ(outcome.status, Status::Ok);
    ASSERT_TRUE(within_tolerance(outcome.logits, problem.logits_oracle().biased))
        << "seed " << seed << ", " << problem.describe();
  }
}

}  // namespace fovea::test
