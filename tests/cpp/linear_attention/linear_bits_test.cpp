/// Linear attention's bits: those of one thread on any number of them, and those of a head alone in any company.

#include <limits>

#include "support/linear.hpp"

namespace fovea::test {
namespace {

LinearArgs head_of(const LinearArgs& args, std::size_t b, std::size_t head) {
  LinearArgs one = args;
  one.batch = one.kv_heads = 1;
  one.heads = args.group();
  one.q.data = args.q.row(b, head * args.group(), 0);
  one.k.data = args.k.row(b, head, 0);
  one.v.data = args.v.row(b, head, 0);
  if (args.is_gated()) one.decay.data = args.decay.row(b, head, 0);
  if (args.is_delta()) one.beta.data = args.beta.row(b, head, 0);
  if (args.key_lengths != nullptr) one.key_lengths = args.key_lengths + b;
  return one;
}

std::vector<LinearCase> large_cases() {
  return {
      {{1, 1, 1, 9300, 9300, 8, 7}, FeatureMap::Elu1, UpdateRule::Linear, true, true},
      {{1, 1, 1, 9300, 9300, 8, 7}, FeatureMap::Exp, UpdateRule::Linear, true, false},
      {{1, 1, 1, 4700, 9300, 8, 9}, FeatureMap::Exp, UpdateRule::Linear, false, true},
      {{1, 1, 1, 4700, 9300, 8, 9}, FeatureMap::Softmax, UpdateRule::Linear, false, false},
      {{1, 6, 3, 1500, 1500, 8, 9}, FeatureMap::Favor, UpdateRule::Linear, true, true},
      {{2, 4, 4, 1100, 1100, 8, 7}, FeatureMap::Elu1, UpdateRule::GatedDelta, true, false},
  };
}

}  // namespace

TEST(LinearBits, AnyNumberOfThreadsGivesTheSame) {
  std::uint64_t seed = 0;
  for (const LinearCase& kind : large_cases()) {
    LinearProblem problem(kind, ++seed);
    for (std::size_t b = 0; b < kind.sizes.batch; ++b)
      problem.key_lengths.push_back(static_cast<std::int32_t>(kind.sizes.keys - 70 + b));
    const LinearState start = empty_state(problem.args());
    const LinearOutcome alone = run(problem.args(), &start);
    ASSERT_EQ(alone.status, Status::Ok);
    for (const std::size_t threads : {1u, 2u, 3u, 5u}) {
      ThreadPool pool;
      ASSERT_EQ(pool.start(threads), kHasThreads ? threads : 1u);
      const LinearOutcome shared = run(problem.args(), &start, {}, 0, &pool);
      EXPECT_TRUE(same_bits(shared, alone)) << problem.describe() << ", " << threads << " threads";
      EXPECT_TRUE(shared.memory) << problem.describe();
    }
  }
}

TEST(LinearBits, AShortCallOnManyThreadsGivesTheSame) {
  ThreadPool pool;
  pool.start(5);
  for (const FeatureMap map : feature_maps()) {
    const LinearProblem problem({{1, 2, 1, 40, 40, 3, 5}, map, UpdateRule::Linear, map != FeatureMap::Softmax}, 1);
    const LinearState start = empty_state(problem.args());
    const LinearOutcome shared = run(problem.args(), &start, {}, 0, &pool);
    EXPECT_TRUE(same_bits(shared, run(problem.args(), &start)));
    EXPECT_TRUE(shared.memory);
  }
}

TEST(LinearBits, AHeadAloneHasTheSame) {
  for (const FeatureMap map : feature_maps()) {
    for (const UpdateRule rule : update_rules()) {
      if (map == FeatureMap::Softmax && rule != UpdateRule::Linear) continue;
      LinearProblem problem({{2, 6, 3, 70, 70, 3, 5}, map, rule, map != FeatureMap::Softmax}, 2);
      problem.key_lengths = {70, 33};
      const LinearArgs args = problem.args();
      const LinearOutcome together = run(args);
      const std::size_t floats = 2 * 70 * 5;
      for (std::size_t n = 0; n < 6; ++n) {
        const LinearOutcome alone = run(head_of(args, n / 3, n % 3));
        EXPECT_TRUE(same_bits(alone.output, std::span(together.output).subspan(n * floats, floats))) << problem.describe();
      }
    }
  }
}

TEST(LinearBits, ValuesReadWhereTheyLieAndInPanelsGiveTheSame) {
  for (const FeatureMap map : feature_maps()) {
    for (const bool infinite : {false, true}) {
      const LinearCase kind = {{1, 2, 1, 70, 70, 7, 16}, map, UpdateRule::Linear, map != FeatureMap::Softmax};
      LinearProblem dense(kind, 3), apart(kind, 3, {Layout::Bhtd, {.lead = 1, .row = 150, .plane = 0, .tail = 0}});
      for (LinearProblem* problem : {&dense, &apart}) {
        if (infinite) problem->v.at(0, 0, 30, 9) = std::numeric_limits<float>::infinity();
      }
      const LinearState start = empty_state(dense.args());
      EXPECT_TRUE(same_bits(run(dense.args(), &start), run(apart.args(), &start))) << dense.describe();
    }
  }
}

}  // namespace fovea::test
