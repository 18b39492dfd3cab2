/// The state of linear attention: what a call leaves is what the next one needs, and all that it needs.

#include "support/linear.hpp"

namespace fovea::test {
namespace {

/// The call in parts that hand on the state, each from one of `ends` to the next.
LinearOutcome run_in_parts(const LinearArgs& args, const std::vector<std::size_t>& ends, LinearState state) {
  const std::size_t rows = args.queries, width = args.value_width;
  LinearOutcome joined;
  joined.output.assign(args.batch * args.heads * rows * width, kPoison);
  std::vector<std::int32_t> lengths;
  for (std::size_t n = 0; n + 1 < ends.size(); ++n) {
    const std::size_t count = ends[n + 1] - ends[n];
    const LinearOutcome part = run(tokens_of(args, ends[n], ends[n + 1], lengths), &state);
    joined.status = part.status;
    if (part.status != Status::Ok) return joined;
    state = part.state;
    for (std::size_t h = 0; h < args.batch * args.heads; ++h) {
      std::copy_n(part.output.begin() + static_cast<std::ptrdiff_t>(h * count * width), count * width,
                  joined.output.begin() + static_cast<std::ptrdiff_t>((h * rows + ends[n]) * width));
    }
  }
  joined.state = state;
  return joined;
}

std::vector<std::size_t> every_token(std::size_t tokens) {
  std::vector<std::size_t> ends(tokens + 1);
  for (std::size_t n = 0; n <= tokens; ++n) ends[n] = n;
  return ends;
}

template <class Visit>
void for_maps_rules_and_normalizing(Visit visit) {
  for (const FeatureMap map : feature_maps()) {
    for (const UpdateRule rule : update_rules()) {
      for (const bool normalize : {false, true}) {
        if (map != FeatureMap::Softmax) visit(map, rule, normalize);
      }
    }
  }
}

}  // namespace

TEST(LinearState, OneCallIsSeveralThatHandOnTheState) {
  for_maps_rules_and_normalizing([](FeatureMap map, UpdateRule rule, bool normalize) {
    LinearProblem problem({{2, 2, 1, 23, 23, 3, 5}, map, rule, true, normalize}, 1);
    problem.key_lengths = {23, 11};
    const LinearArgs args = problem.args();
    const LinearOracle oracle = linear_ref(args);
    for (std::size_t split = 0; split <= 23; ++split) {
      EXPECT_TRUE(agrees(run_in_parts(args, {0, split, 23}, empty_state(args)), args, oracle)) << problem.describe() << split;
    }
    EXPECT_TRUE(agrees(run_in_parts(args, every_token(23), empty_state(args)), args, oracle)) << problem.describe();
  });
}

TEST(LinearState, OneCallIsSeveralOfManyChunks) {
  for (const FeatureMap map : {FeatureMap::Elu1, FeatureMap::Favor, FeatureMap::Exp, FeatureMap::Identity}) {
    LinearProblem problem({{1, 2, 1, 2100, 2100, 3, 5}, map, UpdateRule::Linear, true, true}, 2);
    const LinearArgs args = problem.args();
    const LinearOracle oracle = linear_ref(args);
    for (const auto& ends :
         {std::vector<std::size_t>{0, 1, 64, 129, 1153, 2099, 2100}, {0, 1024, 2048, 2100}, {0, 700, 2100}}) {
      EXPECT_TRUE(agrees(run_in_parts(args, ends, empty_state(args)), args, oracle)) << problem.describe();
    }
  }
}

TEST(LinearState, TokenByTokenIsInChunks) {
  for (const FeatureMap map : {FeatureMap::Elu1, FeatureMap::Exp, FeatureMap::Taylor, FeatureMap::Relu}) {
    LinearProblem problem({{1, 2, 2, 130, 130, 4, 7}, map, UpdateRule::Linear, true, true}, 3);
    const LinearArgs args = problem.args();
    EXPECT_TRUE(agrees(run_in_parts(args, every_token(130), empty_state(args)), args, linear_ref(args)));
  }
}

TEST(LinearState, WithoutCausalityItIsCausalitysLast) {
  for (const FeatureMap map : feature_maps()) {
    if (map == FeatureMap::Softmax) continue;
    for (const std::size_t tokens : {1u, 7u, 70u, 1100u}) {
      LinearProblem problem({{1, 1, 1, tokens, tokens, 3, 4}, map, UpdateRule::Linear, false, true}, tokens);
      LinearArgs args = problem.args();
      const LinearOracle oracle = linear_ref(args);
      const LinearState start = empty_state(args);
      const LinearOutcome whole = run(args, &start);
      args.causal = true;
      const LinearOutcome causal = run(args, &start);
      LinearOutcome last = whole;
      last.state = causal.state;
      EXPECT_TRUE(agrees(whole, args, oracle)) << problem.describe();
      EXPECT_TRUE(agrees(last, args, oracle)) << problem.describe();
      // The last query sees all keys.
      std::copy_n(causal.output.end() - 4, 4, last.output.end() - 4);
      EXPECT_TRUE(agrees(last, args, oracle)) << problem.describe();
    }
  }
}

TEST(LinearState, KeysMayComeInSeveralCallsBeforeTheQueries) {
  for (const FeatureMap map : {FeatureMap::Elu1, FeatureMap::Exp}) {
    LinearProblem problem({{1, 2, 1, 9, 200, 3, 4}, map, UpdateRule::Linear, false, true}, 4);
    const LinearArgs args = problem.args();
    std::vector<std::int32_t> lengths;
    LinearState state = empty_state(args);
    LinearArgs first = tokens_of(args, 0, 90, lengths);
    first.queries = 0;
    state = run(first, &state).state;
    state = run(tokens_of(args, 90, 200, lengths), &state).state;
    LinearArgs none = args;
    none.keys = 0;
    const LinearOutcome outcome = run(none, &state);
    EXPECT_TRUE(agrees(outcome, args, linear_ref(args))) << "without new keys";
  }
}

TEST(LinearState, WithoutNewKeysRowsAreThoseOfTheState) {
  Random random(5);
  for_maps_rules_and_normalizing([&](FeatureMap map, UpdateRule rule, bool normalize) {
    for (const std::size_t tokens : {5u, 20u}) {
      LinearProblem problem({{2, 2, 1, tokens, tokens, 3, 5}, map, rule, true, normalize}, 5);
      problem.key_lengths = {0, static_cast<std::int32_t>(tokens)};
      const LinearState start = draw_state(problem.args(), random);
      EXPECT_TRUE(agrees(problem, &start));
      const LinearOutcome outcome = run(problem.args(), &start);
      const std::size_t half = start.s.size() / 2;
      EXPECT_TRUE(same_bits(std::span(outcome.state.s).first(half), std::span(start.s).first(half)));
    }
  });
}

TEST(LinearState, AskingForItChangesNoBitOfTheOutput) {
  for_maps_rules_and_normalizing([](FeatureMap map, UpdateRule rule, bool normalize) {
    for (const std::size_t tokens : {5u, 70u}) {
      const LinearProblem problem({{1, 2, 1, tokens, tokens, 3, 5}, map, rule, true, normalize}, 6);
      const LinearState start = empty_state(problem.args());
      EXPECT_TRUE(same_bits(run(problem.args(), &start).output, run(problem.args()).output)) << problem.describe();
      LinearArgs whole = problem.args();
      whole.causal = false;
      if (rule != UpdateRule::Linear) continue;
      EXPECT_TRUE(same_bits(run(whole, &start).output, run(whole).output));
    }
  });
}

TEST(LinearState, OfEfficientAttentionItIsWrittenAndNotRead) {
  LinearProblem problem({{2, 2, 1, 70, 90, 3, 5}, FeatureMap::Softmax, UpdateRule::Linear, false}, 7);
  const LinearState empty = empty_state(problem.args());
  LinearState loud = empty;
  std::fill(loud.s.begin(), loud.s.end(), kNan);
  for (const std::int32_t length : {90, 0}) {
    problem.key_lengths = {90, length};
    const LinearOutcome outcome = run(problem.args(), &loud);
    EXPECT_TRUE(same_bits(outcome.output, run(problem.args()).output));
    EXPECT_TRUE(same_bits(outcome.state.s, run(problem.args(), &empty).state.s));
    EXPECT_TRUE(agrees(problem, &loud));
  }
}

}  // namespace fovea::test
