#include "support/softmax.hpp"

namespace fovea::test {

TEST(Softmax, EveryLengthOnEveryAxisAgreesWithTheDefinition) {
  std::uint64_t seed = 1;
  for (const std::size_t n : {0u, 1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 15u, 16u, 17u, 24u, 63u, 64u, 65u, 1000u})
    for (const std::size_t outer : {1u, 3u})
      for (const std::size_t inner : {1u, 2u, 5u}) {
        const Axis axis{outer, n, inner};
        ASSERT_TRUE(agrees(normals(outer * n * inner, ++seed), axis));
      }
}

TEST(Softmax, SoftmaxOfALineSumsToOneWithinFourEps) {
  for (const std::size_t n : {1u, 3u, 64u, 65u, 1000u}) {
    const SoftmaxOutcome outcome = run(SoftmaxKind::Softmax, normals(n, n), {1, n, 1});
    double sum = 0;
    for (const float w : outcome.y) sum += static_cast<double>(w);
    EXPECT_NEAR(sum, 1.0, 4 * static_cast<double>(kEpsilon));
  }
}

TEST(Softmax, LargeEntriesDoNotOverflow) {
  for (const float middle : {95.0f, -95.0f, 1e4f, -1e4f}) ASSERT_TRUE(agrees(normals(3 * 65, 5, 3, middle), {3, 65, 1}));
  for (const float spread : {30.0f, 1e4f}) ASSERT_TRUE(agrees(normals(3 * 65, 6, spread), {3, 65, 1}));
}

TEST(Softmax, AmongHugeEntriesTheLargestTakesAll) {
  for (const float size : {1e30f, 3e38f}) {
    for (std::size_t at = 0; at < 9; ++at) {
      std::vector<float> x(9, -size);
      x[at] = size;
      const SoftmaxOutcome weights = run(SoftmaxKind::Softmax, x, {1, 9, 1}), lse = run(SoftmaxKind::LogSumExp, x, {1, 9, 1});
      for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(weights.y[i], i == at ? 1.0f : 0.0f);
      EXPECT_EQ(lse.y[0], size);
    }
    EXPECT_TRUE(all_equal(run(SoftmaxKind::Softmax, std::vector<float>(8, size), {1, 8, 1}).y, 0.125f));
    EXPECT_TRUE(all_equal(run(SoftmaxKind::Softmax, std::vector<float>(8, -size), {1, 8, 1}).y, 0.125f));
  }
}

TEST(Softmax, MinusInfinityWeighsExactlyNothing) {
  for (const std::size_t n : {2u, 3u, 5u, 64u, 65u}) {
    for (std::size_t at = 0; at < n; ++at) {
      std::vector<float> x = normals(n, n);
      x[at] = -kInfinity;
      EXPECT_TRUE(is_positive_zero(run(SoftmaxKind::Softmax, x, {1, n, 1}).y[at]));
      EXPECT_EQ(run(SoftmaxKind::LogSoftmax, x, {1, n, 1}).y[at], -kInfinity);
      ASSERT_TRUE(agrees(x, {1, n, 1}));
    }
  }
}

TEST(Softmax, ALineOfMinusInfinityIsZeroAndItsLogarithmsMinusInfinity) {
  for (const std::size_t n : {1u, 3u, 4u, 65u}) {
    const std::vector<float> x(n, -kInfinity);
    EXPECT_TRUE(all_zero(run(SoftmaxKind::Softmax, x, {1, n, 1}).y));
    EXPECT_TRUE(all_equal(run(SoftmaxKind::LogSoftmax, x, {1, n, 1}).y, -kInfinity));
    EXPECT_TRUE(all_equal(run(SoftmaxKind::LogSumExp, x, {1, n, 1}).y, -kInfinity));
  }
}

TEST(Softmax, NanOrInfinityAnywhereMakesItsWholeLineNanAndNoOther) {
  for (const float loud : {kNan, -kNan, kInfinity}) {
    for (const float rest : {0.0f, -kInfinity}) {
      for (const std::size_t n : {1u, 3u, 4u, 9u, 64u, 65u}) {
        for (std::size_t at = 0; at < n; ++at) {
          std::vector<float> x(3 * n, rest);
          x[n + at] = loud;
          for (const SoftmaxKind kind : kSoftmaxKinds) {
            const SoftmaxOutcome outcome = run(kind, x, {3, n, 1});
            const std::size_t line = kind == SoftmaxKind::LogSumExp ? 1 : n;
            ASSERT_TRUE(all_nan(std::span(outcome.y).subspan(line, line)))
                << loud << " at " << at << " of " << n << ", kind " << static_cast<int>(kind);
            for (std::size_t i = 0; i < line; ++i) {
              ASSERT_FALSE(std::isnan(outcome.y[i]));
              ASSERT_FALSE(std::isnan(outcome.y[2 * line + i]));
            }
          }
        }
      }
    }
  }
}

TEST(Softmax, ALineIsTheSameBitsWhereverItLies) {
  const std::vector<float> x = normals(65, 9);
  std::vector<float> spread(2 * 65 * 3, 7.0f);
  for (std::size_t t = 0; t < 65; ++t) spread[(65 + t) * 3 + 2] = x[t];
  for (const SoftmaxKind kind : kSoftmaxKinds) {
    const std::vector<float> alone = run(kind, x, {1, 65, 1}).y, among = run(kind, spread, {2, 65, 3}).y;
    const std::size_t n = alone.size();
    for (std::size_t t = 0; t < n; ++t) EXPECT_TRUE(same_bits(alone[t], among[(n + t) * 3 + 2]));
  }
}

TEST(Softmax, ThreadsAndTheLineBesideChangeNoBit) {
  ThreadPool pool;
  pool.start(2);
  constexpr Axis kAxes[] = {{1, 1300, 131}, {3, 37, 1500}, {2, 70000, 9}, {300, 600, 1}};
  for (const Axis& axis : kAxes) {
    const std::vector<float> x = normals(axis.outer * axis.n * axis.inner, axis.n, 3);
    for (const SoftmaxKind kind : kSoftmaxKinds) {
      const SoftmaxOutcome threaded = run(kind, x, axis, 0, &pool);
      ASSERT_EQ(threaded.status, Status::Ok);
      ASSERT_TRUE(threaded.guards);
      const std::size_t out_n = kind == SoftmaxKind::LogSumExp ? 1 : axis.n;
      for (std::size_t o = 0; o < axis.outer; ++o) {
        for (std::size_t i = 0; i < axis.inner; i += 1 + axis.inner / 7) {
          std::vector<float> line(axis.n);
          for (std::size_t t = 0; t < axis.n; ++t) line[t] = x[(o * axis.n + t) * axis.inner + i];
          const std::vector<float> alone = run(kind, line, {1, axis.n, 1}).y;
          for (std::size_t t = 0; t < out_n; ++t) {
            ASSERT_TRUE(same_bits(alone[t], threaded.y[(o * out_n + t) * axis.inner + i])) << axis.inner << " " << t;
          }
        }
      }
    }
  }
}

TEST(Softmax, MayBeWrittenOverItsInput) {
  for (const Axis& axis : {Axis{5, 67, 1}, Axis{2, 33, 41}}) {
    std::vector<float> x = normals(axis.outer * axis.n * axis.inner, 12);
    for (const SoftmaxKind kind : {SoftmaxKind::Softmax, SoftmaxKind::LogSoftmax}) {
      const std::vector<float> apart = run(kind, x, axis).y;
      Scratch scratch(softmax_workspace_bytes(axis.n, axis.inner), 0, kPoison);
      ASSERT_EQ(softmax(kind, x.data(), x.data(), axis.outer, axis.n, axis.inner, scratch.workspace()), Status::Ok);
      EXPECT_TRUE(same_bits(x, apart));
    }
  }
}

TEST(Softmax, EmptyLinesHaveALogSumExpOfMinusInfinity) {
  const SoftmaxOutcome outcome = run(SoftmaxKind::LogSumExp, {}, {2, 0, 3});
  EXPECT_EQ(outcome.status, Status::Ok);
  EXPECT_EQ(outcome.y.size(), 6u);
  EXPECT_TRUE(all_equal(outcome.y, -kInfinity));
  float lse = 0;
  EXPECT_EQ(softmax(SoftmaxKind::LogSumExp, nullptr, &lse, 1, 0, 1, {nullptr, 0}), Status::Ok)
      << "contiguous lines need no memory";
  EXPECT_EQ(lse, -kInfinity);
}

TEST(Softmax, NoLinesAreOk) {
  for (const SoftmaxKind kind : kSoftmaxKinds) {
    EXPECT_EQ(run(kind, {}, {0, 5, 3}).status, Status::Ok);
    EXPECT_EQ(run(kind, {}, {3, 5, 0}).status, Status::Ok);
  }
}

TEST(Softmax, EveryWorkspaceThatIsTooSmallIsAMemoryErrorAndNothingIsWritten) {
  for (const std::size_t n : {1u, 8u, 9u, 16u, 24u, 65u, 200u}) {
    const std::vector<float> x = normals(3 * n, n);
    for (std::size_t short_by = 1; short_by <= floats_of(softmax_workspace_bytes(n, 3)); ++short_by) {
      for (const SoftmaxKind kind : kSoftmaxKinds) {
        const SoftmaxOutcome outcome = run(kind, x, {1, n, 3}, short_by);
        ASSERT_EQ(outcome.status, Status::Memory) << "n " << n << ", short by " << short_by;
        ASSERT_TRUE(all_poison(outcome.y));
      }
    }
  }
}

}  // namespace fovea::test
