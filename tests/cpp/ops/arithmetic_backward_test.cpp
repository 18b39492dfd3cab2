/// Gradients of broadcast arithmetic against exact derivatives.

#include "ops/arithmetic_backward.hpp"

#include "support/broadcast.hpp"
#include "support/gradient.hpp"

namespace fovea::test {
namespace {

constexpr Arithmetic kSmoothArithmetic[] = {Arithmetic::Add, Arithmetic::Subtract, Arithmetic::Multiply, Arithmetic::Divide};
constexpr Arithmetic kExtrema[] = {Arithmetic::Minimum, Arithmetic::Maximum};
constexpr float kArithmeticScale = 0.75f;

template <class Number>
Number arithmetic_ref(Arithmetic kind, Number a, Number b) {
  switch (kind) {
    case Arithmetic::Add: return (a + b) * static_cast<double>(kArithmeticScale);
    case Arithmetic::Subtract: return (a - b) * static_cast<double>(kArithmeticScale);
    case Arithmetic::Multiply: return (a * b) * static_cast<double>(kArithmeticScale);
    case Arithmetic::Divide: return a / b;
    case Arithmetic::Minimum: return real_part(a) < real_part(b) ? a : b;
    case Arithmetic::Maximum: return real_part(a) > real_part(b) ? a : b;
  }
  return a;
}

struct ArithmeticGradients {
  Broadcast<2> shape;
  std::vector<float> a, b, d_y, d_a, d_b;
  Arithmetic kind = Arithmetic::Add;

  ArithmeticGradients(const BroadcastCase<2>& of, Arithmetic which, std::uint64_t seed) : shape(of), kind(which) {
    Random random(seed);
    a = drawn(random, shape.size_of(0));
    b = drawn(random, shape.size_of(1));
    for (float& divisor : b) divisor += divisor < 0 ? -0.5f : 0.5f;
    d_y = drawn(random, shape.size());
    d_a = drawn(random, a.size());
    d_b = drawn(random, b.size());
  }

  ArithmeticBackwardArgs args() {
    return {{kind, kArithmeticScale, shape.axes(), a.data(), b.data(), nullptr}, d_y.data(), d_a.data(), d_b.data()};
  }

  Oracle oracle(std::size_t array) const {
    const auto forward = [&](const std::vector<Complex>& x) {
      std::vector<Complex> y;
      for (std::size_t at = 0; at < shape.size(); ++at) {
        const std::size_t left = shape.offset(0, at), right = shape.offset(1, at);
        y.push_back(array == 0 ? arithmetic_ref<Complex>(kind, x[left], static_cast<double>(b[right]))
                               : arithmetic_ref<Complex>(kind, static_cast<double>(a[left]), x[right]));
      }
      return y;
    };
    return array == 0 ? gradient_ref(forward, a, d_y, d_a) : gradient_ref(forward, b, d_y, d_b);
  }
};

}  // namespace

TEST(ArithmeticBackward, EveryBroadcastAgreesWithExactDerivatives) {
  std::uint64_t seed = 1;
  for (const auto& shape : kBroadcastPairs)
    for (const auto& kinds : {std::span<const Arithmetic>(kSmoothArithmetic), std::span<const Arithmetic>(kExtrema)})
      for (const Arithmetic kind : kinds) {
        ArithmeticGradients gradients(shape, kind, ++seed);
        const Oracle of_a = gradients.oracle(0), of_b = gradients.oracle(1);
        arithmetic_backward(gradients.args());
        ASSERT_TRUE(within_tolerance(gradients.d_a, of_a)) << static_cast<int>(kind) << ", seed " << seed;
        ASSERT_TRUE(within_tolerance(gradients.d_b, of_b)) << static_cast<int>(kind) << ", seed " << seed;
      }
}

TEST(ArithmeticBackward, AnyNumberOfThreadsGivesTheSameBits) {
  ThreadPool pool;
  pool.start(2);
  for (const auto& shape : kLargeBroadcastPairs)
    for (const Arithmetic kind : kSmoothArithmetic) {
      ArithmeticGradients alone(shape, kind, 3), shared = alone;
      arithmetic_backward(alone.args());
      arithmetic_backward(shared.args(), &pool);
      EXPECT_TRUE(same_bits(alone.d_a, shared.d_a));
      EXPECT_TRUE(same_bits(alone.d_b, shared.d_b));
    }
}

TEST(ArithmeticBackward, EqualsShareTheGradientOfAnExtremum) {
  for (const Arithmetic kind : kExtrema) {
    ArithmeticGradients gradients({{5}, {{{1}, {1}}}}, kind, 4);
    gradients.a = {1, 2, 3, kNan, -0.0f};
    gradients.b = {1, 3, 2, 1, 0.0f};
    gradients.d_y = {2, 2, 2, 2, 2};
    gradients.d_a = gradients.d_b = {0, 0, 0, 0, 0};
    arithmetic_backward(gradients.args());
    const bool is_min = kind == Arithmetic::Minimum;
    EXPECT_EQ(gradients.d_a, (std::vector<float>{1, is_min ? 2.0f : 0.0f, is_min ? 0.0f : 2.0f, 2, 1}));
    EXPECT_EQ(gradients.d_b, (std::vector<float>{1, is_min ? 0.0f : 2.0f, is_min ? 2.0f : 0.0f, 2, 1}));
  }
}

TEST(ArithmeticBackward, OneArrayUsedTwiceReceivesBothGradients) {
  ArithmeticGradients square({{67}, {{{1}, {1}}}}, Arithmetic::Multiply, 5);
  square.b = square.a;
  const std::vector<float> before = square.d_a;
  ArithmeticBackwardArgs args = square.args();
  args.d_b = args.d_a;
  arithmetic_backward(args);
  for (std::size_t i = 0; i < 67; ++i) {
    const float term = (square.d_y[i] * kArithmeticScale) * square.a[i];
    ASSERT_EQ(square.d_a[i], (before[i] + term) + term);
  }
}

TEST(ArithmeticBackward, InPlaceTheGradientOfTheResultIsReplaced) {
  for (const auto& shape : {BroadcastCase<2>{{3, 65}, {{{1, 1}, {0, 1}}}}, BroadcastCase<2>{{700}, {{{1}, {0}}}}}) {
    for (const Arithmetic kind : {Arithmetic::Add, Arithmetic::Subtract, Arithmetic::Multiply}) {
      ArithmeticGradients apart(shape, kind, 6);
      apart.d_a.assign(apart.d_a.size(), 0.0f);
      ArithmeticGradients together = apart;
      arithmetic_backward(apart.args());
      ArithmeticBackwardArgs args = together.args();
      args.d_a = together.d_y.data();
      if (kind == Arithmetic::Multiply) {  // which has overwritten what dB needs
        args.d_b = nullptr;
        together.a.assign(together.a.size(), kHuge);
      }
      arithmetic_backward(args);
      for (std::size_t i = 0; i < apart.d_a.size(); ++i) ASSERT_EQ(together.d_y[i], apart.d_a[i]);
      if (args.d_b != nullptr) {
        EXPECT_TRUE(same_bits(together.d_b, apart.d_b));
      }
    }
  }
}

TEST(ArithmeticBackward, GradientsThatAreNotWantedAreNotComputed) {
  ArithmeticGradients gradients({{3, 5}, {{{1, 1}, {0, 1}}}}, Arithmetic::Multiply, 7);
  const std::vector<float> d_a = gradients.d_a, d_b = gradients.d_b;
  ArithmeticBackwardArgs args = gradients.args();
  args.d_a = args.d_b = nullptr;
  arithmetic_backward(args);
  EXPECT_TRUE(same_bits(gradients.d_a, d_a));
  EXPECT_TRUE(same_bits(gradients.d_b, d_b));
}

}  // namespace fovea::test
