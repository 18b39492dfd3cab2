/// The gradient of attention: against its definition in double, against complex steps, and the identities it keeps.

#include <numeric>

#include "support/backward.hpp"
#include "support/biases.hpp"
#include "support/draw.hpp"
#include "support/scratch.hpp"
#include "support/weight_scale.hpp"

namespace fovea::test {
namespace {

/// The numbers of an array in the order b, h, t, d.
template <class Number>
std::vector<Number> numbers_of(const Slab<float>& slab) {
  const std::vector<float> elements = slab.elements();
  return {elements.begin(), elements.end()};
}

/// d loss / d x of every x of `numbers`, an array of `inputs`: exact, as no difference is taken that digits are lost in.
std::vector<double> complex_steps(const AttentionBackwardArgs& args, Gradients<std::complex<double>>& inputs,
                                  std::vector<std::complex<double>>& numbers) {
  constexpr double kStep = 1e-30;
  std::vector<double> derivatives;
  for (std::complex<double>& x : numbers) {
    x.imag(kStep);
    derivatives.push_back(attention_loss(args, inputs).imag() / kStep);
    x.imag(0);
  }
  return derivatives;
}

testing::AssertionResult close(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 1;
  for (const double x : a) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(std::abs(a[i] - b[i]) <= 1e-12 * largest)) return testing::AssertionFailure() << i << ": " << a[i] << " and " << b[i];
  }
  return testing::AssertionSuccess();
}

double dot_of(const std::vector<float>& a, const std::vector<float>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus<>{},
                            [](float x, float y) { return static_cast<double>(x) * static_cast<double>(y); });
}

constexpr Activation kActivations[] = {Activation::Tanh, Activation::Relu, Activation::LeakyRelu, Activation::None};

void set_additive(Problem& problem, Activation activation, bool per_head, std::uint64_t seed) {
  Random random(seed);
  problem.score_weights.resize((per_head ? problem.sizes.heads : 1) * problem.sizes.width);
  for (float& x : problem.score_weights) x = random.normal();
  problem.variant.score_activation = {activation, 0.2f};
  problem.variant.relative_keys = {};
}

void set_pointwise(Problem& problem, std::uint64_t seed) {
  Normalizer& normalizer = problem.variant.normalizer;
  normalizer.kind = seed / 8 % 2 == 0 ? NormalizerKind::Relu : NormalizerKind::Sigmoid;
  normalizer.bias = -1;
  normalizer.scaled = seed / 16 % 2 == 0;
  problem.sinks.clear();
}

/// A problem with causal mask, window and lengths, without what is added to logits.
Problem plain_problem(const Sizes& sizes, std::uint64_t seed) {
  Problem problem(sizes, seed, kGaps);
  problem.causal = seed % 2 == 0;
  if (seed % 3 == 0) problem.window_left = 40;
  return problem;
}

}  // namespace

TEST(AttentionBackward, TheDefinitionAgreesWithComplexSteps) {
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    Problem problem({1, 4, 2, 3, 5, 3, 2}, seed);
    Random random(seed);
    problem.causal = seed % 2 == 0;
    problem.offsets = {2};
    if (seed % 3 == 0) problem.softcap = 2;
    if (seed % 4 == 0) problem.sinks = {0.5f, -1, 2, 0};
    if (seed % 5 == 0) problem.variant.temperature = 0.7f;
    problem.float_mask = PairsMask<float>(1, 4, 3, 5, kNan);
    problem.float_mask.fill([&] { return random.chance(0.3) ? -kInfinity : random.normal(); });
    if (seed % 2 == 1) problem.key_float_mask = PairsMask<float>(1, 1, 1, 5, 0.25f);
    for (const BiasKind kind : {BiasKind::Distance, BiasKind::RelativePerHead, BiasKind::BucketsOneWay, BiasKind::Pairs,
                                BiasKind::RelativeRowsPerHead}) {
      if (random.chance(0.6)) set_bias(problem, kind, seed, 2);
    }
    if (seed % 3 == 1) set_weight_scale(problem, kScaleKinds[seed % 5], seed);
    if (seed > 8) set_additive(problem, kActivations[seed % 4], seed % 3 != 0, seed);
    if (seed % 6 >= 4) set_pointwise(problem, seed);
    const BackwardProblem backward(problem, seed);
    const AttentionBackwardArgs args = backward.args();
    Gradients<std::complex<double>> inputs(args.forward);
    inputs.q = numbers_of<std::complex<double>>(problem.q);
    inputs.k = numbers_of<std::complex<double>>(problem.k);
    inputs.v = numbers_of<std::complex<double>>(problem.v);
    const Gradients<double> closed = backward_ref<double>(args);
    const auto read = [](std::vector<std::complex<double>>& to, const float* from) {
      for (std::size_t n = 0; n < to.size(); ++n) to[n] = static_cast<double>(from[n]);
    };
    const AttentionVariant& variant = args.forward.variant;
    read(inputs.float_mask, args.forward.float_mask.data);
    read(inputs.key_float_mask, args.forward.key_float_mask.data);
    read(inputs.pair_bias, variant.pair_bias.data);
    read(inputs.relative_bias, variant.relative_bias.data);
    read(inputs.buckets, variant.buckets.data);
    read(inputs.relative_keys, variant.relative_keys.data);
    read(inputs.relative_values, variant.relative_values.data);
    read(inputs.weight_scale, variant.weight_scale.pairs.data);
    read(inputs.sinks, args.forward.sinks);
    read(inputs.score_weights, variant.score_weights);
    const auto names = gradient_names<double>();
    const auto numbers = gradient_names<std::complex<double>>();
    for (std::size_t n = 0; n < names.size(); ++n) {
      EXPECT_TRUE(close(closed.*names[n].numbers, complex_steps(args, inputs, inputs.*numbers[n].numbers)))
          << names[n].name << ", seed " << seed;
    }
  }
}

TEST(AttentionBackward, AgreesWithTheDefinitionForRaggedSizes) {
  for (const std::size_t queries : {1u, 3u, 5u, 7u, 63u, 65u, 200u}) {
    for (const std::size_t keys : {1u, 5u, 63u, 64u, 65u, 200u}) {
      EXPECT_TRUE(agrees(BackwardProblem(plain_problem({1, 2, 1, queries, keys, 8, 16}, queries + keys))));
    }
  }
  for (const std::size_t width : {1u, 3u, 4u, 5u, 7u, 8u, 63u, 65u}) {
    for (const std::size_t value_width : {1u, 3u, 8u, 65u}) {
      EXPECT_TRUE(agrees(BackwardProblem(plain_problem({2, 2, 2, 65, 70, width, value_width}, width))));
    }
  }
}

TEST(AttentionBackward, AgreesWithTheDefinitionForDrawnCalls) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Problem problem = seed % 4 == 0 ? draw_appended(seed) : draw_problem(seed);
    if (seed % 2 == 0) draw_biases(problem, seed);
    if (seed % 3 == 0) set_weight_scale(problem, kScaleKinds[seed / 3 % 7], seed);
    if (seed % 5 == 0) problem.variant.temperature = 0.5f;
    if (seed % 6 == 1) set_additive(problem, kActivations[seed / 6 % 4], seed % 4 != 0, seed);
    if (seed % 8 == 3) set_pointwise(problem, seed);
    BackwardProblem backward(problem, seed);
    if (seed % 3 == 0) backward.d_weights.clear();
    if (seed % 2 == 0) backward.d_lse.clear();
    if (seed % 7 == 0 && seed % 3 != 0) backward.d_output = {};
    EXPECT_TRUE(agrees(backward)) << "seed " << seed;
  }
}

TEST(AttentionBackward, NormalizersOfWholeRowsAgreeWithTheDefinition) {
  for (const NormalizerKind kind : {NormalizerKind::TopK, NormalizerKind::Sparsemax, NormalizerKind::Entmax15}) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      Problem problem = seed % 4 == 0 ? draw_appended(seed) : draw_problem(seed);
      problem.sinks.clear();
      problem.variant.normalizer.kind = kind;
      problem.variant.normalizer.k = 1 + seed % 7;
      if (seed % 2 == 0) draw_biases(problem, seed);
      if (seed % 3 == 0) set_weight_scale(problem, kScaleKinds[seed / 3 % 7], seed);
      if (seed % 5 == 0) problem.variant.temperature = 0.5f;
      BackwardProblem backward(problem, seed);
      if (seed % 3 == 1) backward.d_weights.clear();
      ASSERT_TRUE(agrees(backward)) << "seed " << seed;
    }
  }
}

TEST(AttentionBackward, GradientsOfSparsemaxAndEntmaxAreSlopesOfTheOutput) {
  // Central differences of the definition in double, at a step that no weight comes or goes in.
  for (const NormalizerKind kind : {NormalizerKind::Sparsemax, NormalizerKind::Entmax15, NormalizerKind::TopK}) {
    Problem problem({1, 1, 1, 3, 9, 4, 2}, 31);
    problem.variant.normalizer.kind = kind;
    problem.variant.normalizer.k = 4;
    BackwardProblem backward(problem, 3);
    backward.d_weights.clear();
    const Gradients<double> closed = backward_ref<double>(backward.args());
    for (std::size_t n = 0; n < closed.q.size(); ++n) {
      const auto loss_at = [&](float step) {
        BackwardProblem moved = backward;
        moved.problem.q.at(0, 0, n / 4, n % 4) += step;
        const std::vector<double> output = attention_ref(moved.problem.args()).output.truth;
        const std::vector<float> d_output = backward.d_output.elements();
        return std::inner_product(output.begin(), output.end(), d_output.begin(), 0.0);
      };
      const float step = 0x1p-10f, x = problem.q.at(0, 0, n / 4, n % 4);
      const double width = static_cast<double>(x + step) - static_cast<double>(x - step);
      EXPECT_NEAR((loss_at(step) - loss_at(-step)) / width, closed.q[n], 1e-4) << n;
    }
  }
}

TEST(AttentionBackward, LargeScoresHaveAccurateWeights) {
  for (const float offset : {3.0f, 10.0f, 30.0f}) {
    Problem problem({1, 2, 1, 70, 130, 16, 8}, 5);
    problem.q.fill([random = Random(63), offset]() mutable { return offset + random.normal(); });
    problem.k.fill([random = Random(64), offset]() mutable { return offset + random.normal(); });
    EXPECT_TRUE(agrees(BackwardProblem(problem)));
  }
}

TEST(AttentionBackward, AShiftOfAllLogitsChangesNoGradient) {
  // Exact logits, so that all that may move is the lse, whose float32 is off by 3e-5 near 1000.
  Problem problem({1, 1, 1, 40, 70, 70, 8}, 5), shifted = problem;
  const auto logit = [](std::size_t, std::size_t, std::size_t i, std::size_t j) {
    return static_cast<float>((i * 31 + j * 17) % 64) / 16;
  };
  problem.set_logits(logit);
  shifted.set_logits([&](std::size_t b, std::size_t h, std::size_t i, std::size_t j) { return 1000 + logit(b, h, i, j); });
  BackwardProblem a(problem), b(shifted);
  const BackwardOutcome x = run_backward(a), y = run_backward(b);
  for (std::size_t n = 0; n < x.q.size(); ++n) EXPECT_NEAR(x.q[n], y.q[n], 4e-6f) << n;
  for (std::size_t n = 0; n < x.v.size(); ++n) EXPECT_NEAR(x.v[n], y.v[n], 4e-6f) << n;
}

TEST(AttentionBackward, KeysThatTheLseCannotCountShareItsGradient) {
  // Beside -3e38 ln of the number of keys is rounded away, and exp(s - lse) is 1 of every key.
  Problem problem({1, 1, 1, 1, 4, 8, 8}, 5);
  problem.key_float_mask = PairsMask<float>(1, 1, 1, 4, -kHuge);
  BackwardProblem backward(problem);
  EXPECT_TRUE(agrees(backward));
  backward.d_output.fill([] { return 0.0f; });
  backward.d_weights.clear();
  backward.d_lse = {1};
  for (const float x : run_backward(backward).key_float_mask) EXPECT_EQ(x, 0.25f);
}

TEST(AttentionBackward, ARowOfLogitsThatAreAllMinusInfinityGivesNothing) {
  // Allowed by the masks, so that what stands in its way is -inf alone.
  const Sizes sizes = {1, 1, 1, 20, 66, 8, 8};
  Problem problem(sizes, 4);
  std::vector<float> biases(20 * 66);
  for (std::size_t j = 0; j < 66; ++j) biases[7 * 66 + j] = -kInfinity;
  problem.variant.pair_bias = {problem.hold(biases), 0, 0, 66, 1};
  BackwardProblem backward(problem);
  for (std::size_t d = 0; d < 8; ++d) backward.d_output.at(0, 0, 7, d) = kNan;
  backward.d_lse[7] = kNan;
  for (std::size_t j = 0; j < 66; ++j) backward.d_weights[7 * 66 + j] = kNan;
  const BackwardOutcome outcome = run_backward(backward);
  EXPECT_TRUE(all_zero(std::span(outcome.q).subspan(7 * 8, 8)));
  EXPECT_TRUE(all_zero(std::span(outcome.pair_bias).subspan(7 * 66, 66)));
  const auto finite = [](float x) { return std::isfinite(x); };
  for (const auto& [name, numbers] : gradient_names<float>()) EXPECT_TRUE(all_of(outcome.*numbers, "finite", finite)) << name;
}

TEST(AttentionBackward, RowsOfAMasksGradientSumToZero) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Problem problem = plain_problem({1, 2, 2, 45, 130, 8, 8}, seed);
    problem.float_mask = PairsMask<float>(1, 2, 45, 130, 0);
    BackwardProblem backward(problem, seed);
    backward.d_lse.clear();
    const BackwardOutcome outcome = run_backward(backward);
    for (std::size_t row = 0; row < 90; ++row) {
      const std::span of_row = std::span(outcome.float_mask).subspan(row * 130, 130);
      double sum = 0, size = 0;
      for (const float x : of_row) sum += static_cast<double>(x), size += std::abs(static_cast<double>(x));
      EXPECT_NEAR(sum, 0, 1e-5 * (size + 1)) << row;
    }
    // One mask for all heads and queries has the sum of their gradients.
    Problem broadcast = problem;
    broadcast.float_mask = PairsMask<float>(1, 1, 1, 130, 0);
    BackwardProblem shared(broadcast, seed);
    shared.d_lse.clear();
    const BackwardOutcome sums = run_backward(shared);
    for (std::size_t j = 0; j < 130; ++j) {
      double sum = 0;
      for (std::size_t row = 0; row < 90; ++row) sum += static_cast<double>(outcome.float_mask[row * 130 + j]);
      EXPECT_NEAR(static_cast<double>(sums.float_mask[j]), sum, 1e-4) << j;
    }
  }
}

TEST(AttentionBackward, TwoThreadsGiveTheSameBits) {
  ThreadPool pool;
  ASSERT_EQ(pool.start(4), kHasThreads ? 4u : 1u);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Sizes sizes = seed % 2 == 0 ? Sizes{1, 2, 1, 300, 520, 24, 17} : Sizes{3, 4, 2, 130, 200, 16, 8};
    Problem problem = plain_problem(sizes, seed);
    if (seed % 3 == 1) problem.softcap = 3;
    if (seed > 4) draw_biases(problem, seed);
    if (seed > 6) set_weight_scale(problem, ScaleKind::Pairs, seed);
    if (seed % 4 == 2) problem.variant.normalizer.kind = NormalizerKind::Entmax15;
    const BackwardProblem backward(problem, seed);
    EXPECT_TRUE(same_bits(run_backward(backward), run_backward(backward, &pool))) << "seed " << seed;
  }
}

TEST(AttentionBackward, OneWalkAndTwoGiveTheSameBits) {
  // Gradients of queries alone, and of keys alone, are halves of the two walks.
  ThreadPool pool;
  ASSERT_EQ(pool.start(2), kHasThreads ? 2u : 1u);
  const BackwardProblem backward(plain_problem({1, 1, 1, 333, 400, 20, 12}, 2));
  const BackwardOutcome whole = run_backward(backward), shared = run_backward(backward, &pool);
  EXPECT_TRUE(same_bits(whole, shared));
  EXPECT_TRUE(same_bits(whole.q, run_backward(backward, &pool, {true, false, false, false}).q));
  EXPECT_TRUE(same_bits(whole.k, run_backward(backward, nullptr, {false, true, false, false}).k));
  EXPECT_TRUE(same_bits(whole.v, run_backward(backward, nullptr, {false, false, true, false}).v));
}

TEST(AttentionBackward, AddsToTheGradientsAndLeavesOthersAlone) {
  const BackwardProblem backward(plain_problem({2, 4, 2, 37, 70, 9, 11}, 4));
  const BackwardOutcome from_zero = run_backward(backward), from_eight = run_backward(backward, nullptr, {}, 8);
  EXPECT_TRUE(from_eight.memory);
  const auto adds = [](const std::vector<float>& zero, const std::vector<float>& eight) {
    for (std::size_t i = 0; i < zero.size(); ++i) {
      if (!(std::abs(eight[i] - 8 - zero[i]) <= 64 * kEpsilon * (8 + std::abs(zero[i])))) return false;
    }
    return true;
  };
  EXPECT_TRUE(adds(from_zero.q, from_eight.q));
  EXPECT_TRUE(adds(from_zero.k, from_eight.k));
  EXPECT_TRUE(adds(from_zero.v, from_eight.v));
  EXPECT_TRUE(all_zero(run_backward(backward, nullptr, {false, true, true}).q));
  EXPECT_TRUE(all_zero(run_backward(backward, nullptr, {true, false, true}).k));
  EXPECT_TRUE(all_zero(run_backward(backward, nullptr, {true, true, false}).v));
}

TEST(AttentionBackward, OneArrayMayBeQueriesKeysAndValues) {
  ThreadPool pool;
  ASSERT_EQ(pool.start(2), kHasThreads ? 2u : 1u);
  Problem problem({1, 1, 1, 330, 330, 16, 16}, 3);
  problem.k = problem.v = problem.q;
  const BackwardProblem backward(problem);
  const BackwardOutcome apart = run_backward(backward);
  AttentionBackwardArgs args = backward.args();
  args.forward.k = args.forward.v = args.forward.q;
  const auto run = [&](ThreadPool* threads) {
    Slab<float> sum(1, 1, 330, 16, 0);
    args.d_q = args.d_k = args.d_v = sum.view();
    Scratch scratch(attention_backward_workspace_bytes(args, threads_of(threads)), 0, kPoison);
    EXPECT_EQ(attention_backward(args, scratch.workspace(), threads), Status::Ok);
    return sum.elements();
  };
  const std::vector<float> together = run(nullptr);
  EXPECT_TRUE(same_bits(together, run(&pool)));
  for (std::size_t i = 0; i < together.size(); ++i) {
    const float expected = apart.q[i] + apart.k[i] + apart.v[i];
    EXPECT_NEAR(together[i], expected, 1e-5f * (1 + std::abs(apart.q[i]) + std::abs(apart.k[i]) + std::abs(apart.v[i])));
  }
}

TEST(AttentionBackward, HeadsOfOneKeyAndBatchEntriesOfOneArrayAreSummed) {
  ThreadPool pool;
  ASSERT_EQ(pool.start(2), kHasThreads ? 2u : 1u);
  // One set of keys for both batch entries: stride 0.
  Problem problem({2, 2, 2, 150, 90, 8, 8}, 6);
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t j = 0; j < 90; ++j)
      for (std::size_t d = 0; d < 8; ++d) problem.k.at(1, h, j, d) = problem.k.at(0, h, j, d);
  const BackwardProblem backward(problem);
  const BackwardOutcome apart = run_backward(backward);
  AttentionBackwardArgs args = backward.args();
  args.forward.k.batch = 0;
  const auto run = [&](ThreadPool* threads) {
    Slab<float> sum(1, 2, 90, 8, 0);
    args.d_k = sum.view();
    args.d_k.batch = 0;
    Scratch scratch(attention_backward_workspace_bytes(args, threads_of(threads)), 0, kPoison);
    EXPECT_EQ(attention_backward(args, scratch.workspace(), threads), Status::Ok);
    return sum.elements();
  };
  const std::vector<float> together = run(nullptr);
  EXPECT_TRUE(same_bits(together, run(&pool)));
  for (std::size_t i = 0; i < together.size(); ++i) EXPECT_NEAR(together[i], apart.k[i] + apart.k[i + together.size()], 1e-5f);
}

TEST(AttentionBackward, GroupedHeadsGiveTheSumOfRepeatedOnes) {
  Problem grouped({1, 4, 2, 70, 66, 12, 8}, 9), repeated({1, 4, 4, 70, 66, 12, 8}, 9);
  repeated.q = grouped.q;
  for (std::size_t h = 0; h < 4; ++h) {
    for (std::size_t j = 0; j < 66; ++j) {
      for (std::size_t d = 0; d < 12; ++d) repeated.k.at(0, h, j, d) = grouped.k.at(0, h / 2, j, d);
      for (std::size_t d = 0; d < 8; ++d) repeated.v.at(0, h, j, d) = grouped.v.at(0, h / 2, j, d);
    }
  }
  const BackwardOutcome a = run_backward(BackwardProblem(grouped)), b = run_backward(BackwardProblem(repeated));
  EXPECT_TRUE(same_bits(a.q, b.q));
  const auto sums = [](const std::vector<float>& of_group, const std::vector<float>& of_heads, std::size_t head) {
    for (std::size_t i = 0; i < of_group.size(); ++i) {
      const std::size_t first = i / head * 2 * head + i % head;
      EXPECT_NEAR(of_group[i], of_heads[first] + of_heads[first + head], 1e-5f) << i;
    }
  };
  sums(a.k, b.k, 66 * 12);
  sums(a.v, b.v, 66 * 8);
}

TEST(AttentionBackward, KeepsItsIdentities) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Problem problem = plain_problem({2, 2, 1, 90, 140, 16, 24}, seed);
    BackwardProblem backward(problem, seed);
    backward.d_weights.clear();
    backward.d_lse.clear();
    const BackwardOutcome once = run_backward(backward);
    // A product q · k does not change where q grows as k shrinks; the output is linear in v.
    const double of_queries = dot_of(problem.q.elements(), once.q), of_keys = dot_of(problem.k.elements(), once.k);
    EXPECT_NEAR(of_queries, of_keys, 1e-4 * (1 + std::abs(of_queries)));
    const double of_output = dot_of(backward.d_output.elements(), backward.output.elements());
    EXPECT_NEAR(of_output, dot_of(problem.v.elements(), once.v), 1e-4 * (1 + std::abs(of_output)));
    // Twice the gradient of the output is twice every gradient, exactly.
    backward.d_output.each([](float& x) { x *= 2; });
    BackwardOutcome twice = run_backward(backward);
    for (std::vector<float>* gradient : {&twice.q, &twice.k, &twice.v})
      for (float& x : *gradient) x /= 2;
    EXPECT_TRUE(same_bits(once, twice));
  }
}

TEST(AttentionBackward, PermutedKeysPermuteTheirGradients) {
  const Sizes sizes = {1, 2, 2, 40, 100, 8, 8};
  const Problem problem(sizes, 12);
  Problem permuted = problem;
  const auto from = [](std::size_t j) { return j * 37 % 100; };
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t j = 0; j < 100; ++j)
      for (std::size_t d = 0; d < 8; ++d) {
        permuted.k.at(0, h, j, d) = problem.k.at(0, h, from(j), d);
        permuted.v.at(0, h, j, d) = problem.v.at(0, h, from(j), d);
      }
  BackwardProblem a(problem), b(permuted);
  a.d_weights.clear();
  b.d_weights.clear();
  const BackwardOutcome x = run_backward(a), y = run_backward(b);
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t j = 0; j < 100; ++j)
      for (std::size_t d = 0; d < 8; ++d) {
        EXPECT_NEAR(y.k[(h * 100 + j) * 8 + d], x.k[(h * 100 + from(j)) * 8 + d], 1e-5f);
        EXPECT_NEAR(y.v[(h * 100 + j) * 8 + d], x.v[(h * 100 + from(j)) * 8 + d], 1e-5f);
      }
}

TEST(AttentionBackward, ForbiddenNumbersLeakNowhere) {
  for (const float filler : {kNan, kInfinity, kHuge}) {
    // Keys 50 to 59 are forbidden to all, the queries 20 to 29 see no key, and the others see some of the keys.
    Problem problem({1, 2, 1, 75, 100, 12, 9}, 21);
    problem.bool_mask = PairsMask<std::uint8_t>(1, 1, 75, 100, 0);
    problem.bool_mask.fill([random = Random(5)]() mutable { return static_cast<std::uint8_t>(random.chance(0.6)); });
    const auto dead_key = [](std::size_t j) { return j >= 50 && j < 60; };
    const auto dead_query = [](std::size_t i) { return i >= 20 && i < 30; };
    for (std::size_t i = 0; i < 75; ++i)
      for (std::size_t j = 0; j < 100; ++j)
        if (dead_key(j) || dead_query(i)) problem.bool_mask.at(0, 0, i, j) = 0;
    // Biases and factors of forbidden pairs, and table rows of distances that none has.
    const auto set_arrays = [&](Problem& of, float forbidden) {
      Random random(6);
      std::vector<float> biases(75 * 100), factors(75 * 100), rows(2 * 301 * 12);
      for (std::size_t i = 0; i < 75; ++i) {
        for (std::size_t j = 0; j < 100; ++j) {
          const float bias = random.normal(), factor = random.normal();
          const bool allowed = of.bool_mask.at(0, 0, i, j) != 0;
          biases[i * 100 + j] = allowed ? bias : forbidden;
          factors[i * 100 + j] = allowed ? factor : forbidden;
        }
      }
      for (std::size_t n = 0; n < rows.size(); ++n) {
        const float number = random.normal();
        const std::size_t c = n / 12 % 301;
        rows[n] = c + 75 > 150 && c < 150 + 100 ? number : forbidden;
      }
      of.variant.pair_bias = {of.hold(biases), 0, 0, 100, 1};
      of.variant.weight_scale.pairs = {of.hold(factors), 0, 0, 100, 1};
      of.variant.relative_keys = {of.hold(rows), 301 * 12, 150};
    };
    set_arrays(problem, 0);
    BackwardProblem clean(problem);
    const BackwardOutcome expected = run_backward(clean);
    EXPECT_TRUE(agrees(clean));
    BackwardProblem dirty = clean;
    set_arrays(dirty.problem, filler);
    for (std::size_t i = 0; i < 75; ++i) {
      for (std::size_t j = 0; j < 100; ++j) {
        if (problem.bool_mask.at(0, 0, i, j) != 0) continue;
        for (std::size_t h = 0; h < 2; ++h) dirty.d_weights[(h * 75 + i) * 100 + j] = filler;
      }
    }
    for (std::size_t i = 20; i < 30; ++i) dirty.d_lse[i] = dirty.d_lse[75 + i] = filler;
    for (std::size_t h = 0; h < 2; ++h) {
      for (std::size_t i = 20; i < 30; ++i) {
        for (std::size_t d = 0; d < 12; ++d) dirty.problem.q.at(0, h, i, d) = filler;
        for (std::size_t d = 0; d < 9; ++d) dirty.d_output.at(0, h, i, d) = filler;
      }
    }
    for (std::size_t j = 50; j < 60; ++j) {
      for (std::size_t d = 0; d < 12; ++d) dirty.problem.k.at(0, 0, j, d) = filler;
      for (std::size_t d = 0; d < 9; ++d) dirty.problem.v.at(0, 0, j, d) = filler;
    }
    EXPECT_TRUE(same_bits(expected, run_backward(dirty))) << static_cast<double>(filler);
  }
}

TEST(AttentionBackward, ANonFiniteRowIsNanAlone) {
  Problem problem({1, 1, 1, 70, 70, 8, 8}, 22);
  problem.causal = true;
  problem.q.at(0, 0, 5, 3) = kNan;
  const BackwardOutcome outcome = run_backward(BackwardProblem(problem));
  const std::span q(outcome.q), k(outcome.k);
  EXPECT_TRUE(all_nan(q.subspan(5 * 8, 8)));
  EXPECT_TRUE(all_nan(k.first(6 * 8)));
  const auto finite = [](float x) { return std::isfinite(x); };
  EXPECT_TRUE(all_of(q.first(5 * 8), "finite", finite));
  EXPECT_TRUE(all_of(q.subspan(6 * 8), "finite", finite));
  EXPECT_TRUE(all_of(k.subspan(6 * 8), "finite", finite));
}

TEST(AttentionBackward, ErrorsComeBeforeAnythingIsWritten) {
  const BackwardProblem backward(plain_problem({1, 2, 1, 70, 70, 8, 8}, 2));
  const BackwardOutcome refused = run_backward(backward, nullptr, {}, 0, 16);
  EXPECT_EQ(refused.status, Status::Memory);
  EXPECT_TRUE(all_zero(refused.q));
  EXPECT_TRUE(all_zero(refused.k));
  const auto status_of = [&](auto change) {
    AttentionBackwardArgs args = backward.args();
    std::vector<float> d_q(1000), d_k(1000);
    args.d_q = {d_q.data(), 0, 0, 8};
    change(args);
    return attention_backward(args, {});
  };
  EXPECT_EQ(status_of([](auto& args) { args.lse = nullptr; }), Status::Option);
  EXPECT_EQ(status_of([](auto& args) { args.forward.weights = nullptr; }), Status::Option);
  EXPECT_EQ(status_of([](auto& args) { args.forward.kv_layout.float16 = true; }), Status::Option);
  EXPECT_EQ(status_of([](auto& args) { args.forward.variant.normalizer.kind = NormalizerKind::Argmax; }), Status::Option);
  EXPECT_EQ(status_of([](auto& args) { args.d_sinks = args.d_q.data; }), Status::Value);
  EXPECT_EQ(status_of([](auto& args) { args.forward.heads = 3, args.forward.kv_heads = 2; }), Status::Shape);
  EXPECT_EQ(status_of([](auto& args) { args.d_q = {}; }), Status::Ok);
  EXPECT_EQ(status_of([](auto& args) { args.forward.keys = 0; }), Status::Ok);
}

TEST(AttentionBackward, MemoryDoesNotGrowWithPairs) {
  const auto bytes = [](std::size_t tokens) {
    AttentionBackwardArgs args;
    args.forward.batch = args.forward.heads = args.forward.kv_heads = 1;
    args.forward.queries = args.forward.keys = tokens;
    args.forward.width = args.forward.value_width = 64;
    float number = 0;
    args.lse = args.d_lse = &number;
    args.d_q.data = &number;
    return attention_backward_workspace_bytes(args);
  };
  EXPECT_EQ(bytes(16384) - bytes(1024), (16384 - 1024) * 2 * sizeof(float));
  EXPECT_LT(bytes(16384), 1u << 20);
}

}  // namespace fovea::test
