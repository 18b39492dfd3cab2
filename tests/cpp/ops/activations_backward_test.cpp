/// Gradients of activations and gates against exact derivatives.

#include "ops/activations_backward.hpp"

#include "support/gradient.hpp"

namespace fovea::test {
namespace {

constexpr Activation kActivations[] = {Activation::None,      Activation::Relu, Activation::Gelu,
                                       Activation::GeluTanh,  Activation::Silu, Activation::Elu,
                                       Activation::LeakyRelu, Activation::Tanh, Activation::Sigmoid};

/// The function of a number that has an imaginary step.
Complex activation_step_ref(const ActivationArgs& function, Complex x) {
  const auto p = static_cast<double>(function.parameter);
  switch (function.kind) {
    case Activation::None: return x;
    case Activation::Relu: return x.real() > 0 ? x : 0;
    case Activation::Gelu: return 0.5 * x * erfc(-x * 0.70710678118654752440);
    case Activation::GeluTanh: return x / (1.0 + std::exp(-2 * 0.79788456080286535588 * (x + 0.044715 * x * x * x)));
    case Activation::Silu: return x / (1.0 + std::exp(-p * x));
    case Activation::Elu: return x.real() > 0 ? x : p * expm1(x);
    case Activation::LeakyRelu: return x.real() > 0 ? x : p * x;
    case Activation::Tanh: return std::tanh(x);
    case Activation::Sigmoid: return 1.0 / (1.0 + std::exp(-x));
  }
  return NAN;
}

double derivative_ref(const ActivationArgs& function, float x) {
  return activation_step_ref(function, Complex(static_cast<double>(x), kComplexStep)).imag() / kComplexStep;
}

/// Numbers over all the range where derivatives differ from constants, and far beyond.
std::vector<float> activation_arguments() {
  std::vector<float> all = {0.0f, -0.0f, 1e-20f, -1e-20f, 100.0f, -100.0f};
  for (int i = -1200; i <= 1200; ++i) all.push_back(static_cast<float>(i) / 64.0f + 0.003f);
  return all;
}

}  // namespace

TEST(ActivationsBackward, EveryDerivativeIsThatOfTheDefinition) {
  const std::vector<float> x = activation_arguments();
  for (const Activation kind : kActivations)
    for (const float parameter : {1.0f, 0.3f, 1.702f}) {
      const ActivationArgs function = {kind, parameter};
      std::vector<float> d_x(x.size(), 0.0f);
      const std::vector<float> d_y(x.size(), 1.0f);
      ASSERT_EQ(activate_rows_backward({function, x.data(), 0, 1, x.size(), false, d_y.data(), d_x.data()}), Status::Ok);
      const bool is_relative = kind == Activation::Tanh || kind == Activation::Sigmoid;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double truth = derivative_ref(function, x[i]), eps = static_cast<double>(kEpsilon);
        const double allowed = is_relative ? 16 * eps * truth + 1e-37 : 8 * eps * std::max(1.0, static_cast<double>(parameter));
        ASSERT_NEAR(static_cast<double>(d_x[i]), truth, allowed) << static_cast<int>(kind) << " at " << x[i];
      }
    }
}

TEST(ActivationsBackward, InfinitiesHaveTheLimitAndNanStays) {
  const float x[] = {kInfinity, -kInfinity, 3e38f, -3e38f, kNan};
  for (const Activation kind : kActivations) {
    std::vector<float> d_x(5, 0.0f), d_y(5, 1.0f);
    ASSERT_EQ(activate_rows_backward({{kind, 0.5f}, x, 5, 1, 5, false, d_y.data(), d_x.data()}), Status::Ok);
    const bool saturates = kind == Activation::Tanh || kind == Activation::Sigmoid;
    for (const std::size_t i : {0u, 2u}) EXPECT_EQ(d_x[i], saturates ? 0.0f : 1.0f) << static_cast<int>(kind);
    const float below = kind == Activation::None ? 1.0f : kind == Activation::LeakyRelu ? 0.5f : 0.0f;
    for (const std::size_t i : {1u, 3u}) EXPECT_EQ(d_x[i], below) << static_cast<int>(kind);
    const bool is_linear = kind == Activation::None || kind == Activation::Relu || kind == Activation::LeakyRelu;
    EXPECT_EQ(std::isnan(d_x[4]), !is_linear) << static_cast<int>(kind);
  }
}

TEST(ActivationsBackward, RowsApartAreAddedToAndNothingElse) {
  ThreadPool pool;
  pool.start(2);
  Random random(1);
  for (const std::size_t columns : {1u, 3u, 63u, 65u, 1100u}) {
    const std::size_t rows = 200, stride = columns + 3;
    const std::vector<float> x = drawn(random, rows * stride), d_y = drawn(random, rows * columns),
                             before = drawn(random, rows * stride);
    std::vector<float> d_x = before, shared = before;
    const ActivationArgs function = {Activation::Gelu, 0};
    ActivationBackwardArgs args = {function,   x.data(),  static_cast<std::ptrdiff_t>(stride), rows, columns, false,
                                   d_y.data(), d_x.data()};
    ASSERT_EQ(activate_rows_backward(args), Status::Ok);
    args.d_x = shared.data();
    ASSERT_EQ(activate_rows_backward(args, &pool), Status::Ok);
    EXPECT_TRUE(same_bits(shared, d_x));
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t i = 0; i < stride; ++i) {
        const std::size_t at = row * stride + i;
        if (i >= columns) {
          ASSERT_EQ(d_x[at], before[at]);
        } else {
          const auto d = static_cast<double>(d_y[row * columns + i]);
          const double truth = static_cast<double>(before[at]) + d * derivative_ref(function, x[at]);
          ASSERT_NEAR(static_cast<double>(d_x[at]), truth, 1e-6 * (std::abs(d) + std::abs(truth) + 1));
        }
      }
  }
}

TEST(ActivationsBackward, AFreshGradientIsWrittenWhateverIsThere) {
  Random random(3);
  for (const std::size_t columns : {1u, 3u, 64u, 65u, 1100u}) {
    const std::vector<float> x = drawn(random, 3 * columns), d_y = drawn(random, 3 * columns);
    std::vector<float> added(x.size(), 0.0f), written(x.size(), kNan);
    ActivationBackwardArgs args = {
        {Activation::GeluTanh, 0}, x.data(), static_cast<std::ptrdiff_t>(columns), 3, columns, false, d_y.data(), added.data()};
    ASSERT_EQ(activate_rows_backward(args), Status::Ok);
    args.d_x = written.data();
    args.fresh = true;
    ASSERT_EQ(activate_rows_backward(args), Status::Ok);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(written[i], added[i]);
  }
}

TEST(ActivationsBackward, TheResultTellsTheDerivativeOfTanhSigmoidAndRelu) {
  std::vector<float> x = activation_arguments();
  for (const Activation kind : kActivations) {
    const ActivationArgs function = {kind, 1.0f};
    std::vector<float> y(x.size());
    activate(function, x.data(), x.size(), y.data());
    // In place: the gradient of the result is replaced.
    std::vector<float> d(x.size(), 2.0f);
    const Status status = activate_rows_backward(
        {function, y.data(), static_cast<std::ptrdiff_t>(x.size()), 1, x.size(), true, d.data(), d.data()});
    const bool tells =
        kind == Activation::None || kind == Activation::Relu || kind == Activation::Tanh || kind == Activation::Sigmoid;
    ASSERT_EQ(status, tells ? Status::Ok : Status::Value);
    for (std::size_t i = 0; i < x.size() && tells; ++i)
      ASSERT_NEAR(static_cast<double>(d[i]), 2 * derivative_ref(function, x[i]), 2e-6)
          << static_cast<int>(kind) << " at " << x[i];
  }
}

TEST(ActivationsBackward, EveryGateAgreesWithExactDerivatives) {
  ThreadPool pool;
  pool.start(2);
  Random random(2);
  for (const Activation kind : kActivations)
    for (const auto& sizes : {std::pair<std::size_t, std::size_t>{3, 5}, {1, 65}, {7, 1}}) {
      const std::size_t rows = sizes.first, half = sizes.second;
      const ActivationArgs function = {kind, 1.0f};
      const std::vector<float> x = drawn(random, rows * 2 * half), d_y = drawn(random, rows * half);
      std::vector<float> d_x = drawn(random, x.size()), shared = d_x;
      const auto forward = [&](const std::vector<Complex>& in) {
        std::vector<Complex> y;
        for (std::size_t row = 0; row < rows; ++row)
          for (std::size_t i = 0; i < half; ++i)
            y.push_back(in[row * 2 * half + i] * activation_step_ref(function, in[row * 2 * half + half + i]));
        return y;
      };
      Oracle oracle = gradient_ref(forward, x, d_y, d_x);
      for (std::size_t i = 0; i < x.size(); ++i)
        oracle.scale[i] += std::abs(static_cast<double>(d_y[i / (2 * half) * half + i % half]) *
                                    static_cast<double>(x[i / (2 * half) * 2 * half + i % half]));
      gate_rows_backward(function, x.data(), rows, half, d_y.data(), d_x.data());
      gate_rows_backward(function, x.data(), rows, half, d_y.data(), shared.data(), &pool);
      ASSERT_TRUE(within_tolerance(d_x, oracle)) << static_cast<int>(kind);
      EXPECT_TRUE(same_bits(shared, d_x));
    }
}

}  // namespace fovea::test
