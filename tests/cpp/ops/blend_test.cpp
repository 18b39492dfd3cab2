/// The fusion gate against the definition, broadcast.

#include "ops/blend.hpp"

#include "support/random.hpp"
#include "support/scratch.hpp"

namespace fovea::test {
namespace {

TEST(Blend, EveryElementIsThatOfTheDefinition) {
  ThreadPool pool;
  pool.start(2);
  Random random(1);
  for (const auto& [rows, columns] : {std::pair{1, 1}, {3, 5}, {2, 65}, {300, 257}}) {
    const std::int32_t lengths[] = {rows, columns};
    const std::int32_t whole[] = {columns, 1}, row[] = {0, 1}, column[] = {1, 0};
    const std::size_t total = static_cast<std::size_t>(rows * columns);
    std::vector<float> a(total), b(total), gate(total);
    for (auto* array : {&a, &b, &gate}) {
      for (float& number : *array) number = random.normal();
    }
    for (const auto* gate_strides : {whole, row, column}) {
      for (const auto* b_strides : {whole, row}) {
        std::vector<float> y(total + 4, kPoison);
        blend({{2, lengths, {whole, b_strides, gate_strides}}, a.data(), b.data(), gate.data(), y.data()}, &pool);
        EXPECT_TRUE(all_poison(std::span(y).last(4)));
        for (int i = 0; i < rows; ++i) {
          for (int j = 0; j < columns; ++j) {
            const auto at = [&](const std::vector<float>& x, const std::int32_t* strides) {
              return x[static_cast<std::size_t>(i * strides[0] + j * strides[1])];
            };
            const float g = at(gate, gate_strides);
            const float left = g * at(a, whole), right = (1.0f - g) * at(b, b_strides);
            ASSERT_TRUE(same_bits(y[static_cast<std::size_t>(i * columns + j)], left + right)) << i << ", " << j;
          }
        }
      }
    }
  }
}

TEST(Blend, ASingleElementHasNoAxes) {
  const float a = 2, b = 10, gate = 0.25f;
  float y = kPoison;
  blend({{}, &a, &b, &gate, &y});
  EXPECT_EQ(y, 8.0f);
}

}  // namespace
}  // namespace fovea::test
