/// Activations and gates against their definitions in double, at the relative errors that ops/activations.hpp prints.

#include "ops/activations.hpp"

#include "reference/layers.hpp"
#include "support/random.hpp"
#include "support/scratch.hpp"

namespace fovea::test {
namespace {

constexpr ActivationArgs kFunctions[] = {{Activation::None, 0},     {Activation::Relu, 0},         {Activation::Gelu, 0},
                                         {Activation::GeluTanh, 0}, {Activation::Silu, 1},         {Activation::Silu, 1.702f},
                                         {Activation::Silu, 0.01f}, {Activation::Elu, 1},          {Activation::Elu, 2.5f},
                                         {Activation::Elu, -1},     {Activation::LeakyRelu, 0.2f}, {Activation::LeakyRelu, -3},
                                         {Activation::Tanh, 0},     {Activation::Sigmoid, 0}};

/// The error that the header allows, in eps of the result.
double allowed(const ActivationArgs& function, double x) {
  switch (function.kind) {
    case Activation::Gelu: return 10;
    case Activation::Silu: return 10 + (function.parameter == 1 ? 0 : std::abs(static_cast<double>(function.parameter) * x));
    case Activation::GeluTanh: return 10 + 4 * std::abs(1.5957691216 * (x + 0.044715 * x * x * x));
    default: return 4;
  }
}

testing::AssertionResult is_right(const ActivationArgs& function, float x, float y) {
  const double truth = activation_ref<double>(function, x), wide = static_cast<double>(x);
  if (std::isnan(x)) return std::isnan(y) ? testing::AssertionSuccess() : testing::AssertionFailure() << "not NaN: " << y;
  const double error = std::abs(static_cast<double>(y) - truth);
  const double tiny = 0x1p-126 * std::max(1.0, std::abs(wide));
  if (error <= allowed(function, wide) * static_cast<double>(kEpsilon) * std::abs(truth) + tiny)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "f(" << x << ") is " << y << ", not " << truth << ": off by "
                                     << error / static_cast<double>(kEpsilon) / std::abs(truth) << " eps";
}

std::vector<float> points() {
  std::vector<float> x;
  for (double at = -110; at <= 110; at += 0.00731) x.push_back(static_cast<float>(at));
  for (int exponent = -149; exponent <= 60; exponent += 3) {
    for (const double sign : {-1.3, 1.3}) x.push_back(static_cast<float>(std::ldexp(sign, exponent)));
  }
  x.insert(x.end(), {0.0f, -0.0f, kNan});
  return x;
}

}  // namespace

TEST(Activations, EveryFunctionIsAsAccurateAsTheHeaderSays) {
  const std::vector<float> x = points();
  for (const ActivationArgs& function : kFunctions) {
    std::vector<float> y(x.size() + 4, kPoison);
    activate(function, x.data(), x.size(), y.data());
    EXPECT_TRUE(all_poison(std::span(y).last(4)));
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_TRUE(is_right(function, x[i], y[i])) << static_cast<int>(function.kind) << " " << function.parameter;
    }
  }
}

TEST(Activations, InfinitiesHaveTheirLimits) {
  const std::vector<float> x = {-kInfinity, -3e38f, 3e38f, kInfinity};
  const auto of = [&](const ActivationArgs& function) {
    std::vector<float> y(4, kPoison);
    activate(function, x.data(), 4, y.data());
    return y;
  };
  for (const ActivationArgs function :
       {ActivationArgs{Activation::Relu, 0}, {Activation::Gelu, 0}, {Activation::GeluTanh, 0}, {Activation::Silu, 1}}) {
    EXPECT_EQ(of(function), (std::vector<float>{0, 0, 3e38f, kInfinity})) << static_cast<int>(function.kind);
  }
  EXPECT_EQ(of({Activation::Elu, 2}), (std::vector<float>{-2, -2, 3e38f, kInfinity}));
  EXPECT_EQ(of({Activation::LeakyRelu, 0.5f}), (std::vector<float>{-kInfinity, -1.5e38f, 3e38f, kInfinity}));
  EXPECT_EQ(of({Activation::Sigmoid, 0}), (std::vector<float>{0, 0, 1, 1}));
  EXPECT_EQ(of({Activation::Tanh, 0}), (std::vector<float>{-1, -1, 1, 1}));
}

TEST(Activations, RowsOfAnySizeHaveTheBitsOfOneRunAlsoInPlaceAndOnThreads) {
  ThreadPool pool;
  pool.start(2);
  Random random(1);
  for (const std::size_t rows : {0u, 1u, 3u, 65u}) {
    for (const std::size_t columns : {0u, 1u, 3u, 4u, 5u, 63u, 4096u, 4097u, 9001u}) {
      const std::size_t stride = columns + 3;
      std::vector<float> x(rows * stride + 1, kHuge);
      for (float& number : x) number = random.normal();
      std::vector<float> expected, y(rows * columns + 4, kPoison), threaded = y;
      const ActivationArgs function = {Activation::Gelu, 0};
      for (std::size_t row = 0; row < rows; ++row) {
        expected.resize((row + 1) * columns);
        activate(function, x.data() + row * stride, columns, expected.data() + row * columns);
      }
      activate_rows(function, x.data(), static_cast<std::ptrdiff_t>(stride), rows, columns, y.data());
      activate_rows(function, x.data(), static_cast<std::ptrdiff_t>(stride), rows, columns, threaded.data(), &pool);
      EXPECT_TRUE(same_bits(std::span(y).first(rows * columns), expected)) << rows << " " << columns;
      EXPECT_TRUE(same_bits(threaded, y));
      EXPECT_TRUE(all_poison(std::span(y).last(4)));
      if (rows == 0) continue;
      std::vector<float> place(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(columns));
      activate(function, place.data(), columns, place.data());
      EXPECT_TRUE(same_bits(place, std::span(expected).first(columns)));
    }
  }
}

TEST(Gates, AreTheFirstHalfTimesTheFunctionOfTheSecond) {
  ThreadPool pool;
  pool.start(2);
  Random random(2);
  for (const ActivationArgs& function : kFunctions) {
    for (const auto& [rows, half] :
         {std::pair<std::size_t, std::size_t>{0, 3}, {1, 1}, {3, 5}, {2, 64}, {5, 4097}, {300, 70}}) {
      std::vector<float> x(rows * 2 * half), y(rows * half + 4, kPoison), b(half);
      for (float& number : x) number = 3 * random.normal();
      gate_rows(function, x.data(), rows, half, y.data(), &pool);
      EXPECT_TRUE(all_poison(std::span(y).last(4)));
      for (std::size_t row = 0; row < rows; ++row) {
        activate(function, x.data() + (2 * row + 1) * half, half, b.data());
        for (std::size_t i = 0; i < half; ++i) ASSERT_TRUE(same_bits(y[row * half + i], x[2 * row * half + i] * b[i]));
      }
    }
  }
}

TEST(Epilogue, AProductThatEndsInAnActivationHasTheBitsOfBothInTurn) {
  ThreadPool pool;
  pool.start(2);
  Random random(4);
  for (const auto& [m, k, n] :
       {std::tuple<std::size_t, std::size_t, std::size_t>{1, 1, 1}, {5, 300, 9}, {300, 65, 70}, {3, 0, 5}}) {
    std::vector<float> a(m * k + 1), b(k * n + 1), bias(n), plain(m * n, kPoison), fused = plain;
    for (auto* array : {&a, &b, &bias}) {
      for (float& number : *array) number = random.normal();
    }
    const MatrixView<const float> left = {a.data(), m, k, static_cast<std::ptrdiff_t>(k)};
    const MatrixView<const float> right = {b.data(), k, n, static_cast<std::ptrdiff_t>(n)};
    std::vector<float> workspace(floats_of(matmul_workspace_bytes(2)));
    const Workspace scratch = {workspace.data(), workspace.size() * sizeof(float)};
    for (const ActivationArgs& function : kFunctions) {
      const auto stride = static_cast<std::ptrdiff_t>(n);
      ASSERT_EQ(matmul(left, right, bias.data(), {plain.data(), m, n, stride}, scratch, &pool), Status::Ok);
      ASSERT_EQ(matmul(left, right, bias.data(), {fused.data(), m, n, stride}, scratch, &pool, epilogue_of(function)),
                Status::Ok);
      activate(function, plain.data(), m * n, plain.data());
      EXPECT_TRUE(same_bits(fused, plain)) << static_cast<int>(function.kind);
    }
  }
}

}  // namespace fovea::test
