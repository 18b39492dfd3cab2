/// Keys without a position behind the others, and two masks of one kind: each call against the definition, by every path.

#include "attention/multi_dimensional/multi_dimensional.hpp"
#include "attention/sparse/sparse.hpp"
#include "support/biases.hpp"
#include "support/draw.hpp"
#include "support/normalizers.hpp"
#include "support/sparse.hpp"

namespace fovea::test {
namespace {

const DrawnSizes kSmall = {
    .queries = {1, 3, 5, 9, 31, 63, 65}, .keys = {1, 2, 3, 5, 63, 64, 65, 130}, .widths = {1, 7, 16, 33}};

/// The last `count` keys of these are appended.
Problem appended(const Sizes& sizes, std::size_t count, std::uint64_t seed) {
  Problem problem(sizes, seed, kGaps);
  problem.appended_keys = count;
  return problem;
}

}  // namespace

TEST(AppendedKeys, EveryRandomCombinationOfOptionsAgreesWithTheDefinition) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) ASSERT_TRUE(agrees(draw_appended(seed))) << "seed " << seed;
}

TEST(AppendedKeys, EveryLengthIsRightForDecodingAndForTiles) {
  std::uint64_t seed = 500;
  for (const std::size_t queries : {1u, 3u, 5u, 63u, 65u, 300u})
    for (const std::size_t own : {0u, 1u, 3u, 5u, 62u, 63u, 64u, 65u, 127u, 1023u, 1024u}) {
      // Decoding has chunks of 1024 keys, tiles have 64, and of more than 264 queries the others are a block of their own.
      if ((own > 1000 && queries > 5 && queries != 63) || (queries == 300 && own > 5)) continue;
      for (const std::size_t count : {1u, 2u, 70u}) {
        Problem problem = appended({2, 2, 1, queries, own + count, 9, 6}, count, ++seed);
        ASSERT_TRUE(agrees(problem));
        problem.causal = true;
        problem.offsets = {-2, static_cast<std::int32_t>(own)};
        ASSERT_TRUE(agrees(problem));
        problem.window_left = 2;
        problem.key_lengths = {static_cast<std::int32_t>(own / 2), static_cast<std::int32_t>(own)};
        ASSERT_TRUE(agrees(problem));
      }
    }
}

TEST(AppendedKeys, HaveNoBiasAndNoRelativeKeyOrValue) {
  std::uint64_t seed = 600;
  for (const BiasKind kind : bias_kinds())
    for (const std::size_t queries : {1u, 5u, 65u})
      for (const std::size_t own : {1u, 63u, 64u, 100u}) {
        Problem problem = appended({2, 2, 1, queries, own + 2, 8, 6}, 2, ++seed);
        set_bias(problem, kind, seed);
        ASSERT_TRUE(agrees(problem)) << name_of(kind);
        ASSERT_TRUE(agrees(problem, band(20, 3))) << name_of(kind) << ", with a pattern";
        ASSERT_TRUE(agrees(problem, random_keys(2, 1, seed))) << name_of(kind) << ", with pairs of a pattern";
      }
}

TEST(AppendedKeys, AreAllowedByEveryPattern) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Problem problem = draw_appended(seed, kSmall);
    Random random(seed * 31);
    const Sizes& s = problem.sizes;
    const Program program = draw_pattern({s.batch, s.heads, s.queries, s.keys - problem.appended_keys}, random);
    ASSERT_TRUE(agrees(problem, program)) << "seed " << seed;
  }
}

TEST(AppendedKeys, AreNormalizedAsTheOthers) {
  std::uint64_t seed = 700;
  for (const NormalizerKind kind : {NormalizerKind::Relu, NormalizerKind::Sigmoid, NormalizerKind::Argmax, NormalizerKind::TopK,
                                    NormalizerKind::Sparsemax, NormalizerKind::Entmax15})
    for (const std::size_t queries : {1u, 5u, 65u})
      for (const std::size_t own : {1u, 63u, 64u, 100u}) {
        Problem problem = appended({2, 2, 1, queries, own + 3, 8, 6}, 3, ++seed);
        problem.variant.normalizer.kind = kind;
        problem.variant.normalizer.k = 3;
        problem.causal = true;
        ASSERT_TRUE(agrees(problem)) << static_cast<int>(kind);
      }
}

TEST(AppendedKeys, TheLogitsOfEveryStageAgreeWithTheDefinition) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Problem problem = draw_appended(seed, kSmall);
    const LogitsOracle oracle = problem.logits_oracle();
    for (const auto& [stage, truth] : {std::pair{LogitStage::Raw, &oracle.raw},
                                       {LogitStage::Capped, &oracle.capped},
                                       {LogitStage::Biased, &oracle.biased}}) {
      const LogitsOutcome outcome = run_logits(problem.args(), stage);
      ASSERT_EQ(outcome.status, Status::Ok);
      ASSERT_TRUE(within_tolerance(outcome.logits, *truth)) << "seed " << seed << ", " << problem.describe();
    }
  }
}

TEST(AppendedKeys, ANonFiniteKeyOrValueThatIsMaskedLeaksNowhere) {
  for (const std::size_t queries : {1u, 5u, 65u, 300u})
    for (const std::size_t own : {3u, 64u, 70u, 200u}) {
      Problem problem = appended({1, 1, 1, queries, own + 1, 8, 6}, 1, 800 + own);
      problem.key_lengths = {static_cast<std::int32_t>(own - 2)};
      for (std::size_t d = 0; d < 8; ++d) problem.k.at(0, 0, own - 1, d) = kNan;
      for (std::size_t d = 0; d < 6; ++d) problem.v.at(0, 0, own - 2, d) = kInfinity;
      ASSERT_TRUE(agrees(problem));
    }
}

TEST(AppendedKeys, TheWorkspaceHasNoArrayOfPairs) {
  Problem problem = appended({1, 2, 1, 100, 203, 8, 6}, 3, 1);
  problem.causal = true;
  problem.offsets = {5};
  AttentionArgs args = problem.args();
  const std::uint64_t few = attention_workspace_bytes(args);
  args.queries = args.keys = std::size_t{1} << 30;
  // A block of queries is at most kQueryBlock rows, whatever Tq and Tk are.
  EXPECT_LT(attention_workspace_bytes(args), 4 * few);
}

TEST(AppendedKeys, MoreOfThemThanKeysIsAnErrorAndSoAreLengthsBeyondTheOthers) {
  Problem problem = appended({1, 1, 1, 3, 5, 4, 4}, 6, 1);
  EXPECT_EQ(run(problem).status, Status::Shape);
  problem.appended_keys = 2;
  problem.key_lengths = {4};
  EXPECT_EQ(run(problem).status, Status::Value);
  problem.key_lengths = {3};
  EXPECT_TRUE(agrees(problem));
}

TEST(AppendedKeys, MultiDimensionalAttentionRefusesThem) {
  const Problem problem = appended({1, 1, 1, 3, 5, 4, 4}, 1, 1);
  MultiDimensionalArgs args;
  static_cast<AttentionInputs&>(args.inputs) = problem.args();
  std::vector<float> output(12), workspace(4096);
  args.inputs.output = {output.data(), 0, 0, 4};
  EXPECT_EQ(multi_dimensional_attention(args, Workspace(workspace.data(), 4 * workspace.size())), Status::Option);
}

TEST(KeyMasks, JoinMasksOfPairsByEveryPath) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Problem problem = draw_problem(seed, kSmall);
    Random random(seed);
    draw_key_masks(problem, random);
    ASSERT_TRUE(agrees(problem)) << "seed " << seed;
    const Sizes& s = problem.sizes;
    ASSERT_TRUE(agrees(problem, draw_pattern({s.batch, s.heads, s.queries, s.keys}, random))) << "seed " << seed;
  }
}

}  // namespace fovea::test
