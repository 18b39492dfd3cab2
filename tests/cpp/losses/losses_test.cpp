/// Losses and their gradients against their definitions in double.

#include "losses/cross_entropy.hpp"
#include "losses/mean_squared_error.hpp"
#include "support/gradient.hpp"
#include "support/scratch.hpp"

namespace fovea::test {
namespace {

constexpr std::int32_t kIgnored = -100;

struct CrossEntropyCase {
  std::size_t rows, classes, stride;
  std::vector<float> x, weights, d_x, statistics;
  std::vector<std::int32_t> targets;
  float loss = kPoison, d_loss = 1.5f;

  CrossEntropyCase(std::size_t row_count, std::size_t class_count, bool has_weights, std::uint64_t seed)
      : rows(row_count), classes(class_count), stride(class_count + seed % 3) {
    Random random(seed);
    x.assign(rows * stride, kHuge);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t j = 0; j < classes; ++j) x[row * stride + j] = 4 * random.normal();
      targets.push_back(row % 5 == 4 ? kIgnored : static_cast<std::int32_t>(random.size(0, classes - 1)));
      if (has_weights) weights.push_back(random.uniform(0.1f, 2.0f));
    }
    d_x = drawn(random, x.size());
    statistics.assign(2 * rows, kPoison);
  }

  CrossEntropyArgs args() {
    return {rows,
            classes,
            x.data(),
            static_cast<std::ptrdiff_t>(stride),
            targets.data(),
            kIgnored,
            weights.empty() ? nullptr : weights.data(),
            statistics.data()};
  }

  Status run(ThreadPool* pool = nullptr, std::size_t short_by = 0) {
    Scratch scratch(cross_entropy_workspace_bytes(rows), short_by, kPoison);
    const Status status = cross_entropy(args(), &loss, scratch.workspace(), pool);
    if (status != Status::Ok) return status;
    const Status backward = cross_entropy_backward(args(), &d_loss, d_x.data(), scratch.workspace(), pool);
    return scratch.guard_intact() ? backward : Status::Internal;
  }

  double weight(std::size_t row) const {
    if (targets[row] == kIgnored) return 0;
    return weights.empty() ? 1 : static_cast<double>(weights[row]);
  }

  /// The loss as a function of one row's logits.
  template <class Number>
  Number loss_ref(std::size_t moved_row, const std::vector<Number>& moved) const {
    Number sum = 0;
    double total = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      if (weight(row) == 0) continue;
      std::vector<Number> own;
      for (std::size_t j = 0; j < classes; ++j)
        own.push_back(row == moved_row ? moved[j] : Number(static_cast<double>(x[row * stride + j])));
      double m = real_part(own[0]);
      for (const Number& logit : own) m = std::max(m, real_part(logit));
      Number exponentials = 0;
      for (const Number& logit : own) exponentials += std::exp(logit - m);
      sum += weight(row) * (std::log(exponentials) + m - own[static_cast<std::size_t>(targets[row])]);
      total += weight(row);
    }
    return sum / total;
  }
};

}  // namespace

TEST(CrossEntropy, EveryRaggedSizeAgreesWithTheDefinition) {
  std::uint64_t seed = 1;
  for (const std::size_t rows : {1u, 3u, 17u})
    for (const std::size_t classes : {1u, 3u, 5u, 63u, 65u})
      for (const bool has_weights : {false, true}) {
        CrossEntropyCase of(rows, classes, has_weights, ++seed);
        const double truth = of.loss_ref<double>(rows, {});
        std::vector<Oracle> oracles;
        for (std::size_t row = 0; row < rows; ++row) {
          const auto at = of.x.begin() + static_cast<std::ptrdiff_t>(row * of.stride);
          const auto d_at = of.d_x.begin() + static_cast<std::ptrdiff_t>(row * of.stride);
          const auto width = static_cast<std::ptrdiff_t>(classes);
          oracles.push_back(gradient_ref(
              [&](const std::vector<Complex>& moved) { return std::vector<Complex>{of.loss_ref<Complex>(row, moved)}; },
              {at, at + width}, {of.d_loss}, {d_at, d_at + width}));
          // p - 1 of the target may cancel, and a row's weight is all that it can be.
          for (double& scale : oracles.back().scale) scale += static_cast<double>(of.d_loss) * of.weight(row);
        }
        const std::vector<float> before = of.d_x;
        ASSERT_EQ(of.run(), Status::Ok);
        ASSERT_NEAR(static_cast<double>(of.loss), truth, 4 * static_cast<double>(kEpsilon) * std::max(1.0, truth))
            << rows << ", " << classes;
        for (std::size_t row = 0; row < rows; ++row) {
          const auto d_at = of.d_x.begin() + static_cast<std::ptrdiff_t>(row * of.stride);
          ASSERT_TRUE(within_tolerance(std::vector<float>(d_at, d_at + static_cast<std::ptrdiff_t>(classes)), oracles[row]))
              << row;
          for (std::size_t j = classes; j < of.stride; ++j) ASSERT_EQ(of.d_x[row * of.stride + j], before[row * of.stride + j]);
        }
      }
}

TEST(CrossEntropy, RowsThatAreLeftOutReachNothing) {
  CrossEntropyCase clean(10, 7, true, 3);
  clean.weights[1] = 0;
  CrossEntropyCase loud = clean;
  for (const std::size_t row : {1u, 4u, 9u})
    for (std::size_t j = 0; j < 7; ++j) loud.x[row * loud.stride + j] = kNan;
  ASSERT_EQ(clean.run(), Status::Ok);
  const std::vector<float> before = loud.d_x;
  ASSERT_EQ(loud.run(), Status::Ok);
  EXPECT_TRUE(same_bits(loud.loss, clean.loss));
  EXPECT_TRUE(same_bits(loud.d_x, clean.d_x));
  for (const std::size_t row : {1u, 4u, 9u})
    for (std::size_t j = 0; j < 7; ++j) EXPECT_TRUE(same_bits(loud.d_x[row * loud.stride + j], before[row * loud.stride + j]));
}

TEST(CrossEntropy, AMaskedClassReceivesExactlyZero) {
  CrossEntropyCase of(1, 9, false, 3);
  of.d_x.assign(of.d_x.size(), 0.0f);
  of.targets = {2};
  of.x[5] = -kInfinity;
  ASSERT_EQ(of.run(), Status::Ok);
  EXPECT_EQ(bits_of(of.d_x[5]), 0u);
  EXPECT_TRUE(std::isfinite(of.loss));
}

TEST(CrossEntropy, WithoutRowsTheLossIsNanAndNothingIsAdded) {
  CrossEntropyCase of(3, 4, false, 5);
  of.targets.assign(3, kIgnored);
  const std::vector<float> before = of.d_x;
  ASSERT_EQ(of.run(), Status::Ok);
  EXPECT_TRUE(std::isnan(of.loss));
  EXPECT_TRUE(same_bits(of.d_x, before));
}

TEST(CrossEntropy, ATargetThatIsNoClassAndASmallWorkspaceAreErrors) {
  for (const std::int32_t target : {-1, 4}) {
    CrossEntropyCase of(3, 4, false, 6);
    of.targets[2] = target;
    const std::vector<float> before = of.d_x;
    EXPECT_EQ(of.run(), Status::Value);
    Scratch scratch(cross_entropy_workspace_bytes(3), 0, kPoison);
    EXPECT_EQ(cross_entropy_backward(of.args(), &of.d_loss, of.d_x.data(), scratch.workspace()), Status::Value);
    EXPECT_TRUE(is_poison(of.loss));
    EXPECT_TRUE(same_bits(of.d_x, before));
  }
  CrossEntropyCase of(3, 4, false, 6);
  EXPECT_EQ(of.run(nullptr, 1), Status::Memory);
  EXPECT_TRUE(is_poison(of.loss));
}

TEST(CrossEntropy, AnyNumberOfThreadsGivesTheSameBits) {
  ThreadPool pool;
  pool.start(2);
  CrossEntropyCase alone(1500, 130, true, 7), shared = alone;
  ASSERT_EQ(alone.run(), Status::Ok);
  ASSERT_EQ(shared.run(&pool), Status::Ok);
  EXPECT_TRUE(same_bits(alone.loss, shared.loss));
  EXPECT_TRUE(same_bits(alone.d_x, shared.d_x));
}

TEST(MeanSquaredError, EveryRaggedSizeAgreesWithTheDefinition) {
  for (const std::size_t count : {1u, 3u, 5u, 7u, 63u, 65u, 5001u}) {
    Random random(count);
    const std::vector<float> x = drawn(random, count), target = drawn(random, count);
    std::vector<float> d_x = drawn(random, count), d_target = drawn(random, count);
    const std::vector<float> x_before = d_x, target_before = d_target;
    const float d_loss = 0.5f;
    float loss = kPoison;
    Scratch scratch(mean_squared_error_workspace_bytes(count), 0, kPoison);
    ASSERT_EQ(mean_squared_error(x.data(), target.data(), count, &loss, scratch.workspace()), Status::Ok);
    EXPECT_TRUE(scratch.guard_intact());
    mean_squared_error_backward(x.data(), target.data(), count, &d_loss, d_x.data(), d_target.data());
    double truth = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double off = static_cast<double>(x[i]) - static_cast<double>(target[i]), slope = off / static_cast<double>(count);
      truth += off * off / static_cast<double>(count);
      const double allowed = 4 * static_cast<double>(kEpsilon);
      ASSERT_NEAR(static_cast<double>(d_x[i]), static_cast<double>(x_before[i]) + slope, allowed * (1 + std::abs(slope)) * 4);
      ASSERT_NEAR(static_cast<double>(d_target[i]), static_cast<double>(target_before[i]) - slope,
                  allowed * (1 + std::abs(slope)) * 4);
    }
    EXPECT_NEAR(static_cast<double>(loss), truth, static_cast<double>(kEpsilon) * truth);
  }
  float loss = kPoison;
  EXPECT_EQ(mean_squared_error(&loss, &loss, 1, &loss, {nullptr, 0}), Status::Memory);
  EXPECT_TRUE(is_poison(loss));
}

TEST(MeanSquaredError, AnyNumberOfThreadsGivesTheSameBits) {
  ThreadPool pool;
  pool.start(2);
  const std::size_t count = 1200003;
  Random random(8);
  std::vector<float> x(count), target(count, 0.25f), alone(count, 0.0f), shared(count, 0.0f);
  for (float& own : x) own = random.uniform(-1, 1);
  float loss[2];
  const float d_loss = 1;
  Scratch scratch(mean_squared_error_workspace_bytes(count), 0, kPoison);
  ASSERT_EQ(mean_squared_error(x.data(), target.data(), count, &loss[0], scratch.workspace()), Status::Ok);
  ASSERT_EQ(mean_squared_error(x.data(), target.data(), count, &loss[1], scratch.workspace(), &pool), Status::Ok);
  EXPECT_TRUE(same_bits(loss[0], loss[1]));
  mean_squared_error_backward(x.data(), target.data(), count, &d_loss, alone.data(), nullptr);
  mean_squared_error_backward(x.data(), target.data(), count, &d_loss, shared.data(), nullptr, &pool);
  EXPECT_TRUE(same_bits(alone, shared));
}

}  // namespace fovea::test
