/// Gradients of elementary functions, of blends and of unit rows.

#include "ops/blend_backward.hpp"
#include "ops/elementary_backward.hpp"
#include "ops/unit_rows_backward.hpp"
#include "support/broadcast.hpp"
#include "support/gradient.hpp"

namespace fovea::test {
namespace {

constexpr Elementary kElementary[] = {Elementary::Abs, Elementary::Exp, Elementary::Log};

const std::vector<BroadcastCase<3>> kBlends = {
    {{}, {{{}, {}, {}}}},
    {{65}, {{{1}, {1}, {1}}}},
    {{3, 5}, {{{1, 1}, {0, 1}, {1, 0}}}},
    {{2, 7, 3}, {{{0, 1, 0}, {1, 1, 1}, {0, 0, 1}}}},
};

}  // namespace

TEST(ElementaryBackward, EveryDerivativeIsThatOfTheDefinition) {
  for (const Elementary kind : kElementary)
    for (const std::size_t count : {1u, 7u, 65u}) {
      Random random(count);
      std::vector<float> x = drawn(random, count), y(count), d_y = drawn(random, count), d_x = drawn(random, count);
      if (kind == Elementary::Log)
        for (float& own : x) own = std::abs(own) + 0.01f;
      elementary(kind, x.data(), count, y.data());
      const auto forward = [&](const std::vector<Complex>& in) {
        std::vector<Complex> out;
        for (const Complex& own : in)
          out.push_back(kind == Elementary::Abs   ? (own.real() < 0 ? -own : own)
                        : kind == Elementary::Exp ? std::exp(own)
                                                  : std::log(own));
        return out;
      };
      const Oracle oracle = gradient_ref(forward, x, d_y, d_x);
      elementary_backward({kind, x.data(), y.data(), count, d_y.data(), d_x.data()});
      ASSERT_TRUE(within_tolerance(d_x, oracle)) << static_cast<int>(kind);
    }
}

TEST(ElementaryBackward, TheSizeOfZeroHasNoSlope) {
  const float x[] = {0.0f, -0.0f, -2.0f, 2.0f, kNan}, d_y[] = {3, 3, 3, 3, 3};
  float d_x[] = {0, 0, 0, 0, 0};
  elementary_backward({Elementary::Abs, x, nullptr, 5, d_y, d_x});
  EXPECT_EQ((std::vector<float>{d_x, d_x + 4}), (std::vector<float>{0, 0, -3, 3}));
  EXPECT_TRUE(std::isnan(d_x[4]));
}

TEST(ElementaryBackward, InPlaceTheGradientOfExpIsReplaced) {
  Random random(1);
  const std::vector<float> y = drawn(random, 67);
  std::vector<float> d = drawn(random, 67), d_x(67, 0.0f);
  elementary_backward({Elementary::Exp, nullptr, y.data(), 67, d.data(), d_x.data()});
  elementary_backward({Elementary::Exp, nullptr, y.data(), 67, d.data(), d.data()});
  for (std::size_t i = 0; i < 67; ++i) ASSERT_EQ(d[i], d_x[i]);
}

TEST(BlendBackward, EveryBroadcastAgreesWithExactDerivatives) {
  ThreadPool pool;
  pool.start(2);
  for (const auto& of : kBlends) {
    const Broadcast<3> shape(of);
    Random random(shape.size());
    std::vector<float> inputs[3], gradients[3];
    for (std::size_t n = 0; n < 3; ++n) {
      inputs[n] = drawn(random, shape.size_of(n));
      gradients[n] = drawn(random, shape.size_of(n));
    }
    const std::vector<float> d_y = drawn(random, shape.size());
    std::vector<Oracle> oracles;
    for (std::size_t own = 0; own < 3; ++own) {
      const auto forward = [&](const std::vector<Complex>& x) {
        std::vector<Complex> y;
        for (std::size_t at = 0; at < shape.size(); ++at) {
          const auto of_array = [&](std::size_t n) {
            const std::size_t offset = shape.offset(n, at);
            return n == own ? x[offset] : Complex(static_cast<double>(inputs[n][offset]));
          };
          y.push_back(of_array(2) * of_array(0) + (1.0 - of_array(2)) * of_array(1));
        }
        return y;
      };
      Oracle oracle = gradient_ref(forward, inputs[own], d_y, gradients[own]);
      // 1 - g and a - b may cancel.
      for (std::size_t at = 0; at < shape.size(); ++at) {
        double size = 1;
        for (std::size_t n = 0; n < 3; ++n) size += std::abs(static_cast<double>(inputs[n][shape.offset(n, at)]));
        oracle.scale[shape.offset(own, at)] += std::abs(static_cast<double>(d_y[at])) * size;
      }
      oracles.push_back(oracle);
    }
    std::vector<float> shared[3] = {gradients[0], gradients[1], gradients[2]};
    const BlendArgs forward = {shape.axes(), inputs[0].data(), inputs[1].data(), inputs[2].data(), nullptr};
    blend_backward({forward, d_y.data(), gradients[0].data(), gradients[1].data(), gradients[2].data()});
    blend_backward({forward, d_y.data(), shared[0].data(), shared[1].data(), shared[2].data()}, &pool);
    for (std::size_t n = 0; n < 3; ++n) {
      EXPECT_TRUE(within_tolerance(gradients[n], oracles[n])) << n;
      EXPECT_TRUE(same_bits(gradients[n], shared[n]));
    }
    const std::vector<float> before = shared[1];
    blend_backward({forward, d_y.data(), nullptr, nullptr, shared[2].data()});
    EXPECT_TRUE(same_bits(shared[1], before));
  }
}

TEST(UnitRowsBackward, EveryRowAgreesWithExactDerivatives) {
  ThreadPool pool;
  pool.start(2);
  for (const std::size_t width : {1u, 3u, 7u, 65u}) {
    const std::size_t stride = width + 2;
    Random random(width);
    const std::vector<float> x = drawn(random, 2 * 3 * 5 * stride), d_y = drawn(random, 2 * 3 * 5 * width);
    std::vector<float> y(d_y.size()), d_x = drawn(random, x.size()), shared = d_x;
    const std::vector<float> before = d_x;
    const auto token = static_cast<std::ptrdiff_t>(stride);
    const UnitRowsArgs forward = {2, 3, 5, width, {x.data(), 15 * token, 5 * token, token}, y.data()};
    unit_rows(forward);
    unit_rows_backward({forward, d_y.data(), d_x.data()});
    unit_rows_backward({forward, d_y.data(), shared.data()}, &pool);
    EXPECT_TRUE(same_bits(shared, d_x));
    for (std::size_t row = 0; row < 30; ++row) {
      const auto part = [&](const std::vector<float>& of, std::size_t apart) {
        const auto from = of.begin() + static_cast<std::ptrdiff_t>(row * apart);
        return std::vector<float>(from, from + static_cast<std::ptrdiff_t>(width));
      };
      Oracle oracle = gradient_ref(
          [](std::vector<Complex> in) {
            Complex squares = 0;
            for (const Complex& own : in) squares += own * own;
            for (Complex& own : in) own /= std::sqrt(squares);
            return in;
          },
          part(x, stride), part(d_y, width), part(before, stride));
      // y is rounded to float32, and what lies along it may cancel.
      double squares = 0, sizes = 0;
      for (std::size_t i = 0; i < width; ++i) {
        squares += static_cast<double>(x[row * stride + i]) * static_cast<double>(x[row * stride + i]);
        sizes += std::abs(static_cast<double>(d_y[row * width + i]));
      }
      for (double& scale : oracle.scale) scale += sizes / std::sqrt(squares);
      ASSERT_TRUE(within_tolerance(part(d_x, stride), oracle)) << width;
    }
  }
}

TEST(UnitRowsBackward, ARowOfZerosReceivesNothing) {
  const float x[] = {0, 0, 0};
  float y[3] = {}, d_x[] = {1, 2, 3};
  const float d_y[] = {5, 5, 5};
  unit_rows_backward({{1, 1, 1, 3, {x, 3, 3, 3}, y}, d_y, d_x});
  EXPECT_EQ((std::vector<float>{d_x, d_x + 3}), (std::vector<float>{1, 2, 3}));
}

}  // namespace fovea::test
