/// The gradient of attention by patterns: that of attention with a mask that says the same.

#include "support/backward.hpp"
#include "support/biases.hpp"
#include "support/draw.hpp"
#include "support/sparse.hpp"
#include "support/weight_scale.hpp"

namespace fovea::test {
namespace {

const std::vector<std::size_t> kWidthsOfPatterns = {1, 7, 16, 33};
const DrawnSizes kPatternSizes = {
    .queries = {1, 2, 3, 5, 31, 63, 65, 300}, .keys = {1, 3, 5, 63, 64, 65, 130}, .widths = kWidthsOfPatterns};

testing::AssertionResult agrees_as_mask(const Problem& problem, const Program& program, std::uint64_t seed) {
  SparseCall call(problem, program);
  const AttentionArgs args = call.args();
  const BackwardProblem sparse(problem, seed, &args), masked(with_pattern_as_masks(problem, program), seed);
  return agrees(run_backward(sparse), masked);
}

/// Few keys of each row, no two rows alike: a list of pairs, of which many are left over.
std::vector<std::vector<std::int32_t>> scattered_keys(std::size_t queries, std::size_t keys, std::size_t each, Random& random) {
  std::vector<std::vector<std::int32_t>> list(queries);
  for (auto& row : list) {
    for (std::size_t n = 0; n < each; ++n) row.push_back(static_cast<std::int32_t>(random.size(0, keys - 1)));
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return list;
}

}  // namespace

TEST(PatternBackward, ARandomTreeHasTheGradientsOfItsMask) {
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    Problem problem = draw_problem(seed, kPatternSizes);
    Random random(seed * 31);
    const Sizes& s = problem.sizes;
    if (seed % 3 == 0) draw_biases(problem, seed);
    if (seed % 4 == 0) set_weight_scale(problem, kScaleKinds[seed / 4 % 7], seed);
    const Program program = draw_pattern({s.batch, s.heads, s.queries, s.keys}, random);
    ASSERT_TRUE(agrees_as_mask(problem, program, seed)) << "seed " << seed;
  }
}

TEST(PatternBackward, EveryWayThatPairsAreComputedHasGradients) {
  Random random(3);
  const Problem problem({1, 2, 1, 150, 150, 16, 9}, 51, kGaps);
  for (const Program& program :
       {all(), band(20, 3), or_({band(2, 2), global_tokens({0, 70})}), blocks(16, 1, 0), random_keys(5, 1, 9),
        lists({1, 1, 150, 150}, scattered_keys(150, 150, 3, random)), axial(12, 12, 1)}) {
    EXPECT_TRUE(agrees_as_mask(problem, program, 4));
    Problem masked = problem;
    masked.bool_mask = PairsMask<std::uint8_t>(1, 1, 150, 150, 0);
    masked.bool_mask.fill([&] { return static_cast<std::uint8_t>(random.chance(0.7)); });
    EXPECT_TRUE(agrees_as_mask(masked, program, 5));
  }
}

TEST(PatternBackward, AdditiveScoresAndPointwiseWeightsHaveGradients) {
  for (const NormalizerKind kind : {NormalizerKind::Softmax, NormalizerKind::Relu, NormalizerKind::Sigmoid}) {
    Problem problem({1, 2, 2, 70, 90, 8, 8}, 52);
    Random random(5);
    problem.variant.normalizer.kind = kind;
    problem.score_weights.resize(16);
    for (float& x : problem.score_weights) x = random.normal();
    problem.variant.score_activation = {Activation::LeakyRelu, 0.2f};
    EXPECT_TRUE(agrees_as_mask(problem, or_({band(10, 10), random_keys(4, 1, 3)}), 5));
  }
}

TEST(PatternBackward, BiasesOfEdgesAreSummedByEdge) {
  Random random(8);
  Problem problem({2, 2, 2, 80, 70, 8, 8}, 53);
  const auto keys = scattered_keys(80, 70, 9, random);
  const Program program = or_({lists({1, 1, 80, 70}, keys, {}, CsrKind::Graph), band(3, 3)});
  std::size_t edges = 0;
  for (const auto& row : keys) edges += row.size();
  std::vector<float> values(2 * edges);
  for (float& x : values) x = random.normal();
  problem.variant.edge_biases = {problem.hold(values), 0, static_cast<std::ptrdiff_t>(edges)};
  SparseCall call(problem, program);
  const AttentionArgs args = call.args();
  BackwardProblem sparse(problem, 6, &args);
  sparse.edges = edges;
  const BackwardOutcome got = run_backward(sparse);
  ASSERT_EQ(got.status, Status::Ok);
  const BackwardProblem masked(with_pattern_as_masks(problem, program), 6);
  EXPECT_TRUE(agrees(got, masked));
  const BackwardOutcome dense = run_backward(masked);
  for (std::size_t h = 0; h < 2; ++h) {
    for (std::size_t i = 0, edge = 0; i < 80; ++i) {
      for (const std::int32_t j : keys[i]) {
        float sum = 0;
        for (std::size_t b = 0; b < 2; ++b) sum += dense.float_mask[((b * 2 + h) * 80 + i) * 70 + static_cast<std::size_t>(j)];
        EXPECT_NEAR(got.edge_biases[h * edges + edge++], sum, 2e-5f) << h << " " << i << " " << j;
      }
    }
  }
}

TEST(PatternBackward, GradientsOfSparseWeightsAreThoseOfDenseOnes) {
  const Problem problem({1, 2, 1, 80, 120, 8, 8}, 54);
  const Program program = or_({band(6, 6), random_keys(3, 1, 2)});
  SparseCall call(problem, program);
  const Pairs pairs = pairs_of(problem, program);
  const AttentionArgs args = call.args_with(pairs);
  BackwardProblem dense(problem, 7, &args), sparse(problem, 7, &args);
  for (std::size_t row = 0; row < 160; ++row) {
    for (std::int32_t n = pairs.indptr[row]; n < pairs.indptr[row + 1]; ++n) {
      sparse.d_sparse.push_back(
          dense.d_weights[row * 120 + static_cast<std::size_t>(pairs.indices[static_cast<std::size_t>(n)])]);
    }
  }
  sparse.d_weights.clear();
  const BackwardOutcome a = run_backward(dense), b = run_backward(sparse);
  for (std::size_t n = 0; n < a.q.size(); ++n) EXPECT_NEAR(a.q[n], b.q[n], 1e-5f);
  for (std::size_t n = 0; n < a.k.size(); ++n) EXPECT_NEAR(a.k[n], b.k[n], 1e-5f);
  EXPECT_TRUE(same_bits(a.v, b.v));
}

TEST(PatternBackward, TwoThreadsGiveTheSameBits) {
  ThreadPool pool;
  ASSERT_EQ(pool.start(3), kHasThreads ? 3u : 1u);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Problem problem({2, 4, 2, 260, 300, 16, 16}, seed);
    if (seed == 3) set_bias(problem, BiasKind::RelativePerHead, seed);
    SparseCall call(problem, or_({band(30, 10), random_keys(4, 1, seed)}));
    const AttentionArgs args = call.args();
    const BackwardProblem backward(problem, seed, &args);
    EXPECT_TRUE(same_bits(run_backward(backward), run_backward(backward, &pool))) << "seed " << seed;
  }
}

}  // namespace fovea::test
