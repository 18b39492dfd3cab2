/// Rows of length 1 against their definition in double.

#include "ops/unit_rows.hpp"

#include <utility>

#include "support/random.hpp"
#include "support/scratch.hpp"
#include "support/slab.hpp"
#include "support/tolerance.hpp"

namespace fovea::test {
namespace {

/// Rows in memory with gaps between them, and their definition.
struct Rows {
  Rows(std::size_t tokens, std::size_t width, std::uint64_t seed, float size = 1)
      : x(2, 3, tokens, width, kNan, Layout::Bthd, {.lead = 3, .row = 5, .plane = 7, .tail = 0}),
        args{2, 3, tokens, width, std::as_const(x).view(), nullptr} {
    x.fill([random = Random(seed), size]() mutable { return size * random.normal(); });
  }

  std::vector<float> run(ThreadPool* pool = nullptr) {
    std::vector<float> y(6 * args.tokens * args.width + 4, kPoison);
    args.y = y.data();
    unit_rows(args, pool);
    EXPECT_TRUE(all_poison(std::span(y).last(4)));
    y.resize(y.size() - 4);
    return y;
  }

  /// Within 1 ULP of the exact quotient.
  testing::AssertionResult agrees(const std::vector<float>& y) const {
    for (std::size_t row = 0; row < 6 * args.tokens; ++row) {
      const float* const from = args.x.row(row / args.tokens / 3, row / args.tokens % 3, row % args.tokens);
      long double square = 0;
      for (std::size_t d = 0; d < args.width; ++d)
        square += static_cast<long double>(from[d]) * static_cast<long double>(from[d]);
      for (std::size_t d = 0; d < args.width; ++d) {
        const auto truth = static_cast<double>(square == 0 ? 0 : static_cast<long double>(from[d]) / std::sqrt(square));
        const double error = std::abs(static_cast<double>(y[row * args.width + d]) - truth);
        if (!(error <= static_cast<double>(kEpsilon) * std::abs(truth))) {
          return testing::AssertionFailure() << row << ", " << d << ": " << y[row * args.width + d] << ", truth " << truth;
        }
      }
    }
    return testing::AssertionSuccess();
  }

  Slab<float> x;
  UnitRowsArgs args;
};

}  // namespace

TEST(UnitRows, EveryWidthAgreesWithTheDefinition) {
  for (std::size_t width = 1; width < 20; ++width) {
    for (const float size : {1e-30f, 1.0f, 1e30f}) {
      Rows rows(5, width, width, size);
      EXPECT_TRUE(rows.agrees(rows.run())) << size;
    }
  }
}

TEST(UnitRows, ThreadsChangeNoBit) {
  ThreadPool pool;
  pool.start(2);
  Rows rows(700, 65, 2);
  const std::vector<float> alone = rows.run();
  EXPECT_TRUE(rows.agrees(alone));
  EXPECT_TRUE(same_bits(rows.run(&pool), alone));
}

TEST(UnitRows, ZerosStayAndNanAndInfinityReachNoOtherRow) {
  Rows rows(4, 3, 3);
  const std::vector<float> before = rows.run();
  for (std::size_t d = 0; d < 3; ++d) rows.x.at(0, 0, 0, d) = 0;
  rows.x.at(0, 0, 1, 1) = kNan;
  rows.x.at(0, 0, 2, 1) = kInfinity;
  const std::vector<float> y = rows.run();
  EXPECT_TRUE(all_zero(std::span(y).first(3)));
  EXPECT_TRUE(all_nan(std::span(y).subspan(3, 3)));
  EXPECT_EQ(y[6], 0.0f);
  EXPECT_TRUE(std::isnan(y[7]));
  EXPECT_TRUE(same_bits(std::span(y).subspan(9), std::span(before).subspan(9)));
}

}  // namespace fovea::test
