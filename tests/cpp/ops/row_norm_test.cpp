/// Layer and root-mean-square normalization against their definitions in double.

#include "support/norm_lines.hpp"

namespace fovea::test {

TEST(RowNorm, EveryRaggedSizeAgreesWithTheDefinition) {
  Random random(1);
  for (const RowNorm kind : kNorms)
    for (const std::size_t outer : {1u, 3u, 17u})
      for (const std::size_t n : {1u, 3u, 4u, 5u, 16u, 63u, 65u, 256u})
        for (const std::size_t inner : {1u, 2u, 17u}) {
          Lines lines(kind, outer, n, inner, random.size(0, 5));
          lines.fill([&] { return random.normal(); });
          if (random.chance(0.5)) {
            for (std::size_t i = 0; i < n; ++i) lines.weight.push_back(random.normal());
          }
          if (random.chance(0.5)) {
            for (std::size_t i = 0; i < n; ++i) lines.bias.push_back(random.normal());
          }
          if (random.chance(0.3)) {
            for (std::size_t i = 0; i < outer * n * inner; ++i) lines.residual.push_back(random.normal());
          }
          ASSERT_EQ(lines.run(), Status::Ok);
          ASSERT_TRUE(lines.agrees()) << static_cast<int>(kind) << ": " << outer << " " << n << " " << inner;
        }
}

TEST(RowNorm, DataFarFromZeroKeepsWhatItsDeviationsHave) {
  // The definition in double of the numbers as they are: what two passes lose in the mean is not excused by the plain loop.
  Random random(2);
  for (const float offset : {10.0f, 1e3f, 1e5f}) {
    Lines lines(RowNorm::Layer, 4, 1000, 1);
    lines.fill([&] { return offset + random.normal(); });
    ASSERT_EQ(lines.run(), Status::Ok);
    for (std::size_t row = 0; row < 4; ++row) {
      const std::vector<float> x(lines.x.begin() + static_cast<std::ptrdiff_t>(row * 1000),
                                 lines.x.begin() + static_cast<std::ptrdiff_t>((row + 1) * 1000));
      const std::vector<double> truth = row_norm_ref<double>(lines.args, x, {});
      for (std::size_t i = 0; i < 1000; ++i) {
        ASSERT_NEAR(static_cast<double>(lines.y[row * 1000 + i]), truth[i], 16 * static_cast<double>(kEpsilon) * 4) << offset;
      }
    }
  }
}

TEST(RowNorm, NumbersWhoseSquaresLeaveTheRangeAreNormalizedAllTheSame) {
  Random random(3);
  for (const RowNorm kind : kNorms)
    for (const float size : {1e-38f, 1e-25f, 1e18f, 1e25f, 3e37f}) {
      Lines lines(kind, 3, 37, 1);
      lines.args.eps = size < 1 ? 0.0f : 1e-5f;
      lines.fill([&] { return size * random.normal(); });
      ASSERT_EQ(lines.run(), Status::Ok);
      for (std::size_t row = 0; row < 3; ++row) {
        const std::vector<float> x(lines.x.begin() + static_cast<std::ptrdiff_t>(row * 37),
                                   lines.x.begin() + static_cast<std::ptrdiff_t>((row + 1) * 37));
        const std::vector<double> truth = row_norm_ref<double>(lines.args, x, {});
        for (std::size_t i = 0; i < 37; ++i) {
          ASSERT_NEAR(static_cast<double>(lines.y[row * 37 + i]), truth[i], 1e-5) << size;
        }
      }
    }
}

TEST(RowNorm, NanAndInfinityStayInTheirLine) {
  for (const RowNorm kind : kNorms)
    for (const float bad : {kNan, kInfinity, -kInfinity})
      for (const std::size_t inner : {1u, 3u}) {
        Lines lines(kind, 2, 9, inner), good(kind, 2, 9, inner);
        Random random(4);
        lines.fill([&] { return random.normal(); });
        good.x = lines.x;
        lines.x[4 * inner] = bad;
        ASSERT_EQ(lines.run(), Status::Ok);
        ASSERT_EQ(good.run(), Status::Ok);
        for (std::size_t at = 0; at < 2 * 9 * inner; ++at) {
          const bool own = at < 9 * inner && at % inner == 0;
          if (!own) {
            EXPECT_TRUE(same_bits(lines.y[at], good.y[at]));
          } else if (kind == RowNorm::Rms && std::isinf(bad) && at != 4 * inner) {
            EXPECT_EQ(lines.y[at], 0.0f);
          } else {
            EXPECT_TRUE(std::isnan(lines.y[at]));
          }
        }
      }
}

TEST(RowNorm, ALineHasOneResultWhereverItLiesAndOnAnyThread) {
  ThreadPool pool;
  pool.start(2);
  Random random(5);
  Lines whole(RowNorm::Layer, 2000, 130, 1), columns(RowNorm::Layer, 1, 130, 2000), threaded = whole, place = whole;
  whole.fill([&] { return random.normal(); });
  threaded.x = whole.x;
  for (std::size_t row = 0; row < 2000; ++row)
    for (std::size_t i = 0; i < 130; ++i) columns.x[i * 2000 + row] = whole.x[row * 130 + i];
  ASSERT_EQ(whole.run(), Status::Ok);
  ASSERT_EQ(threaded.run(&pool), Status::Ok);
  ASSERT_EQ(columns.run(&pool), Status::Ok);
  EXPECT_TRUE(same_bits(threaded.y, whole.y));
  for (std::size_t row = 0; row < 2000; ++row)
    for (std::size_t i = 0; i < 130; ++i) ASSERT_TRUE(same_bits(columns.y[i * 2000 + row], whole.y[row * 130 + i]));
  // y <- norm(y)
  std::copy_n(whole.x.begin(), 2000 * 130, place.y.begin());
  place.args.x = place.args.y = place.y.data();
  ASSERT_EQ(row_norm(place.args, {nullptr, 0}), Status::Ok);
  EXPECT_TRUE(same_bits(place.y, whole.y));
}

TEST(RowNorm, AMinusZeroKeepsItsSignOnEveryAxis) {
  for (const std::size_t n : {1u, 3u, 4u, 5u, 7u})
    for (const std::size_t inner : {1u, 2u, 9u}) {
      Lines lines(RowNorm::Rms, 2, n, inner);
      lines.fill([] { return -0.0f; });
      ASSERT_EQ(lines.run(), Status::Ok);
      for (std::size_t at = 0; at < 2 * n * inner; ++at) ASSERT_EQ(bits_of(lines.y[at]), bits_of(-0.0f)) << n << ", " << inner;
    }
}

TEST(RowNorm, EmptyLinesAndAWorkspaceThatIsTooSmall) {
  Lines nothing(RowNorm::Layer, 0, 5, 1), no_width(RowNorm::Rms, 3, 0, 1), columns(RowNorm::Layer, 2, 5, 3);
  EXPECT_EQ(nothing.run(), Status::Ok);
  EXPECT_EQ(no_width.run(), Status::Ok);
  EXPECT_EQ(columns.run(nullptr, 1), Status::Memory);
  EXPECT_TRUE(all_poison(nothing.y));
  EXPECT_TRUE(all_poison(no_width.y));
  EXPECT_TRUE(all_poison(columns.y));
}

}  // namespace fovea::test
