/// Errors of linear attention, and the workspace that it needs.

#include "support/linear.hpp"
#include "support/scratch.hpp"

namespace fovea::test {
namespace {

Status status_of(const LinearArgs& args, bool with_state = false) {
  const LinearState start = empty_state(args);
  const LinearOutcome outcome = run(args, with_state ? &start : nullptr);
  EXPECT_EQ(outcome.status == Status::Ok, !static_cast<bool>(all_poison(outcome.output)));
  EXPECT_TRUE(outcome.memory);
  return outcome.status;
}

LinearArgs changed(const LinearProblem& problem, void (*change)(LinearArgs&)) {
  LinearArgs args = problem.args();
  change(args);
  return args;
}

const Sizes kSizes = {1, 2, 1, 6, 6, 3, 4};

}  // namespace

TEST(LinearErrors, ShapesThatDoNotFit) {
  const LinearProblem problem({kSizes, FeatureMap::Elu1, UpdateRule::Gated}, 1);
  EXPECT_EQ(status_of(problem.args()), Status::Ok);
  for (const auto change : {
           +[](LinearArgs& args) { args.width = 0; },
           +[](LinearArgs& args) { args.heads = 3, args.kv_heads = 2; },
           +[](LinearArgs& args) { args.queries = 5; },
           +[](LinearArgs& args) { args.decay_width = 2; },
           +[](LinearArgs& args) { args.decay_width = 0; },
           +[](LinearArgs& args) { args.features.width = 4; },
       }) {
    EXPECT_EQ(status_of(changed(problem, change)), Status::Shape);
  }
  LinearArgs none = problem.args();
  none.value_width = 0;
  EXPECT_EQ(run(none).status, Status::Shape);
  LinearArgs no_heads = problem.args();
  no_heads.kv_heads = 0;
  EXPECT_EQ(linear_attention(no_heads, {nullptr, 0}), Status::Shape);
}

TEST(LinearErrors, ValuesThatCannotBe) {
  const LinearProblem delta({kSizes, FeatureMap::Elu1, UpdateRule::GatedDelta}, 1);
  const LinearProblem favor({kSizes, FeatureMap::Favor, UpdateRule::Linear}, 1);
  const LinearProblem softmax({kSizes, FeatureMap::Softmax, UpdateRule::Linear, false}, 1);
  EXPECT_EQ(status_of(delta.args()), Status::Ok);
  EXPECT_EQ(status_of(favor.args()), Status::Ok);
  EXPECT_EQ(status_of(softmax.args()), Status::Ok);
  EXPECT_EQ(status_of(changed(favor, [](LinearArgs& args) { args.features.random = 0; })), Status::Value);
  EXPECT_EQ(status_of(changed(favor, [](LinearArgs& args) { args.features.projection = nullptr; })), Status::Value);
  EXPECT_EQ(status_of(changed(delta, [](LinearArgs& args) { args.causal = false; })), Status::Value);
  EXPECT_EQ(status_of(changed(delta, [](LinearArgs& args) { args.decay.data = nullptr; })), Status::Value);
  EXPECT_EQ(status_of(changed(delta, [](LinearArgs& args) { args.beta.data = nullptr; })), Status::Value);
  EXPECT_EQ(status_of(changed(delta, [](LinearArgs& args) { args.chunk = 0; })), Status::Value);
  EXPECT_EQ(status_of(changed(softmax, [](LinearArgs& args) { args.causal = true; })), Status::Value);
  EXPECT_EQ(status_of(changed(softmax, [](LinearArgs& args) { args.normalize = true; })), Status::Value);
  for (const std::int32_t length : {-1, 7}) {
    LinearArgs args = delta.args();
    args.key_lengths = &length;
    EXPECT_EQ(status_of(args), Status::Value);
  }
}

TEST(LinearErrors, AStateThatLacksAPart) {
  for (const bool without_z : {false, true}) {
    const LinearProblem problem({kSizes, FeatureMap::Exp, UpdateRule::Linear, true, true}, 1);
    LinearArgs args = problem.args();
    LinearState state = empty_state(args);
    Slab<float> output(1, 2, 6, 4, kPoison);
    std::vector<float> workspace(floats_of(linear_workspace_bytes(args)));
    args.output = output.view();
    args.s = state.s.data();
    args.z = without_z ? nullptr : state.z.data();
    args.m = without_z ? state.m.data() : nullptr;
    EXPECT_EQ(linear_attention(args, {workspace.data(), workspace.size() * sizeof(float)}), Status::Value);
    EXPECT_TRUE(all_poison(output.elements()));
  }
}

TEST(LinearErrors, AWorkspaceThatIsTooSmallIsAMemoryErrorAndNothingIsWritten) {
  ThreadPool pool;
  pool.start(3);
  for (const UpdateRule rule : {UpdateRule::Linear, UpdateRule::GatedDelta}) {
    for (const std::size_t tokens : {4u, 70u}) {
      for (ThreadPool* const threads : {static_cast<ThreadPool*>(nullptr), &pool}) {
        const LinearProblem problem({{1, 2, 1, tokens, tokens, 3, 4}, FeatureMap::Exp, rule, true, true}, 1);
        const LinearState start = empty_state(problem.args());
        for (const std::size_t short_by : {1u, 16u, 1000000u}) {
          const LinearOutcome outcome = run(problem.args(), &start, {}, short_by, threads);
          EXPECT_EQ(outcome.status, Status::Memory);
          EXPECT_TRUE(all_poison(outcome.output));
          EXPECT_TRUE(same_bits(outcome.state.s, start.s));
          EXPECT_TRUE(same_bits(outcome.state.z, start.z));
          EXPECT_TRUE(same_bits(outcome.state.m, start.m));
        }
      }
    }
  }
}

TEST(LinearErrors, TheWorkspaceSuffices) {
  // Memory that ends where the workspace does: what is written beyond it, AddressSanitizer sees.
  ThreadPool pool;
  pool.start(3);
  for (const FeatureMap map : feature_maps()) {
    for (const UpdateRule rule : update_rules()) {
      if (map == FeatureMap::Softmax && rule != UpdateRule::Linear) continue;
      for (const std::size_t width : {1u, 3u, 4u, 7u, 8u}) {
        const bool softmax = map == FeatureMap::Softmax;
        const LinearProblem problem({{1, 2, 1, 70, 70, width, 9 - width}, map, rule, !softmax, !softmax}, width);
        for (ThreadPool* const threads : {static_cast<ThreadPool*>(nullptr), &pool}) {
          LinearArgs args = problem.args();
          Slab<float> output(1, 2, 70, 9 - width, kPoison);
          args.output = output.view();
          std::vector<float> workspace(floats_of(linear_workspace_bytes(args, threads_of(threads))), kPoison);
          EXPECT_EQ(linear_attention(args, {workspace.data(), workspace.size() * sizeof(float)}, threads), Status::Ok);
          EXPECT_TRUE(same_bits(output.elements(), run(problem.args()).output));
        }
      }
    }
  }
}

}  // namespace fovea::test
