/// Broadcast arithmetic against the definition, element by element, on ragged shapes.

#include "ops/arithmetic.hpp"

#include "support/bits.hpp"
#include "support/random.hpp"
#include "support/scratch.hpp"

namespace fovea::test {
namespace {

constexpr Arithmetic kArithmetic[] = {Arithmetic::Add,    Arithmetic::Subtract, Arithmetic::Multiply,
                                      Arithmetic::Divide, Arithmetic::Minimum,  Arithmetic::Maximum};

float one(Arithmetic kind, float a, float b, float scale) {
  switch (kind) {
    case Arithmetic::Add: return (a + b) * scale;
    case Arithmetic::Subtract: return (a - b) * scale;
    case Arithmetic::Multiply: return (a * b) * scale;
    case Arithmetic::Divide: return a / b;
    case Arithmetic::Minimum: return std::isnan(a) || std::isnan(b) ? kNan : std::min(a, b);
    case Arithmetic::Maximum: return std::isnan(a) || std::isnan(b) ? kNan : std::max(a, b);
  }
  return kPoison;
}

/// Which axes an array has: 1 = its own, 0 = repeated.
struct Case {
  std::vector<std::int32_t> lengths, in_a, in_b;
};

/// Row-major strides of the axes that an array has.
std::vector<std::int32_t> strides_of(const Case& c, const std::vector<std::int32_t>& has) {
  std::vector<std::int32_t> strides(has.size());
  std::int32_t stride = 1;
  for (std::size_t axis = has.size(); axis-- > 0;) {
    strides[axis] = has[axis] == 0 ? 0 : stride;
    if (has[axis] != 0) stride *= c.lengths[axis];
  }
  return strides;
}

TEST(Arithmetic, EveryElementIsThatOfTheDefinition) {
  ThreadPool pool;
  pool.start(2);
  Random random(1);
  const Case cases[] = {{{}, {}, {}},
                        {{1}, {1}, {1}},
                        {{7}, {1}, {1}},
                        {{5}, {0}, {1}},
                        {{5}, {1}, {0}},
                        {{6}, {0}, {0}},
                        {{3, 5}, {1, 0}, {0, 1}},
                        {{3, 5}, {1, 1}, {1, 0}},
                        {{2, 3, 65}, {1, 0, 1}, {0, 1, 1}},
                        {{4, 1, 3, 2}, {0, 0, 1, 0}, {1, 0, 0, 1}},
                        {{3, 4097}, {1, 1}, {0, 1}},
                        {{700, 131}, {1, 0}, {1, 1}},
                        {{0, 3}, {1, 1}, {0, 1}}};
  for (const Case& c : cases) {
    const std::vector<std::int32_t> a_strides = strides_of(c, c.in_a), b_strides = strides_of(c, c.in_b);
    const std::size_t rank = c.lengths.size();
    std::size_t total = 1;
    for (const std::int32_t length : c.lengths) total *= static_cast<std::size_t>(length);
    std::vector<float> a(total + 1), b(total + 1);
    for (auto* array : {&a, &b}) {
      for (float& number : *array) number = random.normal() > 2.5f ? kNan : random.normal();
    }
    for (const Arithmetic kind : kArithmetic) {
      std::vector<float> y(total + 4, kPoison);
      const SharedAxes<2> axes = {rank, c.lengths.data(), {a_strides.data(), b_strides.data()}};
      arithmetic({kind, 0.5f, axes, a.data(), b.data(), y.data()}, &pool);
      EXPECT_TRUE(all_poison(std::span(y).last(4)));
      for (std::size_t at = 0; at < total; ++at) {
        std::size_t rest = at, left = 0, right = 0;
        for (std::size_t axis = rank; axis-- > 0;) {
          const std::size_t index = rest % static_cast<std::size_t>(c.lengths[axis]);
          rest /= static_cast<std::size_t>(c.lengths[axis]);
          left += index * static_cast<std::size_t>(a_strides[axis]);
          right += index * static_cast<std::size_t>(b_strides[axis]);
        }
        ASSERT_TRUE(same_bits(y[at], one(kind, a[left], b[right], 0.5f))) << "element " << at << " of " << total;
      }
    }
  }
}

}  // namespace
}  // namespace fovea::test
