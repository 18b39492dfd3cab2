/// Every normalizer with patterns: the definition with the same mask, in every form of plan, threads and slices.

#include "attention/sparse/sparse.hpp"
#include "support/normalizers.hpp"
#include "support/scratch.hpp"
#include "support/sparse.hpp"

namespace fovea::test {
namespace {

const DrawnSizes kSmall = {.queries = {1, 3, 31, 65}, .keys = {1, 5, 63, 64, 130}, .widths = {1, 7, 16}};

/// Full and partial tiles, gathered ones, edges alone and beside tiles, more than one pass, empty rows, biases.
std::vector<Program> forms(std::size_t queries, std::size_t keys) {
  Random random(5);
  std::vector<std::vector<std::int32_t>> list(queries);
  std::vector<float> bias;
  for (std::size_t i = 0; i < queries; ++i)
    for (std::size_t j = i % 3; i % 7 != 0 && j < keys; j += 1 + random.size(0, 40)) {
      list[i].push_back(static_cast<std::int32_t>(j));
      bias.push_back(random.chance(0.1) ? -kInfinity : 0.25f * static_cast<float>(random.integer(-8, 8)));
    }
  const Program listed = lists({1, 1, queries, keys}, list, bias);
  return {all(),
          band(40, 40),
          columns(16, 3, 5),
          listed,
          or_({band(30, 30), random_keys(4, 1, 2)}),
          or_({band(5, 5), atrous(8), axial(130, 13, 10)}),
          or_({listed, atrous(6)})};
}

}  // namespace

TEST(NormalizersSparse, EveryFormOfPlanAgreesWithTheDefinition) {
  for (const Normalizer& normalizer : all_normalizers()) {
    Problem problem = with(with_exact_logits(Problem({1, 2, 1, 130, 200, 16, 9}, 71)), normalizer);
    problem.causal = true;
    problem.offsets = {60};
    for (const Program& program : forms(130, 200)) ASSERT_TRUE(agrees(problem, program)) << describe_normalizer(normalizer);
  }
}

TEST(NormalizersSparse, ARandomTreeWithRandomOptionsIsAttentionWithTheSameMask) {
  std::uint64_t seed = 0;
  for (const Normalizer& normalizer : all_normalizers())
    for (int n = 0; n < 10; ++n) {
      const Problem problem = draw_normalized(++seed, normalizer, n % 2 == 0 ? 1.0f : 0.5f, kSmall);
      Random random(seed * 31);
      const Sizes& s = problem.sizes;
      const Program program = draw_pattern({s.batch, s.heads, s.queries, s.keys}, random);
      ASSERT_TRUE(agrees(problem, program)) << "seed " << seed;
    }
}

TEST(NormalizersSparse, ThreadsAndSlicesOfUnitsGiveWhatOneCallGives) {
  for (const Normalizer& normalizer : all_normalizers()) {
    const Problem problem = with(Problem({1, 2, 1, 190, 230, 32, 32}, 72), normalizer, 0.5f);
    const Program program = or_({band(60, 10), atrous(8), columns(16, 0, 2)});
    SparseCall call(problem, program);
    const Pairs pairs = pairs_of(problem, program);
    const Outcome alone = run(call.args_with(pairs), Want::Weights);
    ASSERT_EQ(alone.status, Status::Ok);
    const std::vector<float> values(call.values().begin(), call.values().end());
    for (const std::size_t threads : {1u, 2u, 3u, 5u}) {
      ThreadPool pool;
      ASSERT_EQ(pool.start(threads), kHasThreads ? threads : 1u);
      ASSERT_TRUE(same_bits(run(call.args_with(pairs), Want::Weights, {}, 0, kPoison, &pool), alone)) << threads;
      ASSERT_TRUE(same_bits(call.values(), values)) << threads;
    }
    for (const std::size_t step : {1u, 3u}) {
      AttentionArgs args = call.args_with(pairs);
      const std::size_t rows = args.heads * args.queries;
      std::vector<float> output(rows * args.value_width, kPoison), weights(rows * args.keys, kPoison);
      std::vector<float> scratch(floats_of(attention_workspace_bytes(args)), kPoison);
      const auto head = static_cast<std::ptrdiff_t>(args.queries * args.value_width);
      args.output = {output.data(), head * 2, head, static_cast<std::ptrdiff_t>(args.value_width)};
      args.weights = weights.data();
      const std::size_t units = sparse_units(args);
      for (std::size_t from = 0; from < units; from += step) {
        args.unit_from = from;
        args.unit_to = from + step;
        ASSERT_EQ(attention(args, Workspace(scratch.data(), scratch.size() * sizeof(float))), Status::Ok);
      }
      ASSERT_TRUE(same_bits(std::span<const float>(output), std::span<const float>(alone.output))) << step;
      ASSERT_TRUE(same_bits(std::span<const float>(weights), std::span<const float>(alone.weights))) << step;
      ASSERT_TRUE(same_bits(call.values(), values)) << step;
    }
  }
}

TEST(NormalizersSparse, DenseAttentionHasSparseWeights) {
  for (const Normalizer& normalizer : all_normalizers())
    for (const std::size_t queries : {3u, 70u}) {
      Problem problem = with(Problem({1, 2, 1, queries, 150, 8, 5}, 73), normalizer);
      problem.causal = true;
      problem.offsets = {40};
      const Pairs pairs = pairs_of(problem, all());
      std::vector<float> values(pairs.indices.size() + 1, kPoison);
      const Outcome without = run(problem, Want::Weights);
      AttentionArgs args = problem.args();
      args.sparse_weights = {pairs.indptr.data(), pairs.indices.data(), values.data()};
      ASSERT_TRUE(same_bits(run(args, Want::Weights), without));
      ASSERT_TRUE(is_poison(values.back()));
      for (std::size_t row = 0; row < 2 * queries; ++row)
        for (std::int32_t n = pairs.indptr[row]; n < pairs.indptr[row + 1]; ++n) {
          const auto at = static_cast<std::size_t>(n);
          ASSERT_TRUE(same_bits(values[at], without.weights[row * 150 + static_cast<std::size_t>(pairs.indices[at])]));
        }
      ASSERT_TRUE(same_bits(run(args, Want::Output).output, without.output));
    }
}

TEST(NormalizersSparse, ListsThatAreMissingAreTold) {
  for (const Normalizer& normalizer : all_normalizers()) {
    const Problem problem = with(Problem({1, 1, 1, 30, 40, 8, 5}, 74), normalizer);
    SparseCall call(problem, band(3, 3));
    const bool listed = normalizer.kind >= NormalizerKind::TopK;
    EXPECT_EQ(run(call.args(), Want::Output).status, listed ? Status::Memory : Status::Ok);
    const Pairs pairs = pairs_of(problem, band(3, 3));
    EXPECT_EQ(run(call.args_with(pairs), Want::Output, {}, 1).status, Status::Memory);
  }
}

}  // namespace fovea::test
