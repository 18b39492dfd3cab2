/// Numbers moved to other strides: every permutation of axes, overlapping windows, parts of a longer array.

#include "ops/copy_strided.hpp"

#include <numeric>

#include "support/bits.hpp"

namespace fovea::test {
namespace {

using Integers = std::vector<std::int32_t>;

Integers row_major(const Integers& lengths) {
  Integers strides(lengths.size());
  std::int32_t stride = 1;
  for (std::size_t axis = lengths.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= lengths[axis];
  }
  return strides;
}

std::vector<float> counted(std::size_t size) {
  std::vector<float> x(size);
  std::iota(x.begin(), x.end(), 0.0f);
  return x;
}

/// Element by element, by the definition.
void check(const Integers& lengths, const Integers& x_strides, const Integers& y_strides, std::size_t x_size,
           std::size_t y_size, ThreadPool& pool) {
  const std::vector<float> x = counted(x_size);
  std::vector<float> y(y_size + 4, -1.0f), expected = y;
  const SharedAxes<2> axes = {lengths.size(), lengths.data(), {x_strides.data(), y_strides.data()}};
  for (std::size_t at = 0; at < axes.size(); ++at) {
    std::size_t rest = at, from = 0, to = 0;
    for (std::size_t axis = lengths.size(); axis-- > 0;) {
      const std::size_t index = rest % axes.length(axis);
      rest /= axes.length(axis);
      from += index * static_cast<std::size_t>(x_strides[axis]);
      to += index * static_cast<std::size_t>(y_strides[axis]);
    }
    expected[to] = x[from];
  }
  copy_strided({axes, x.data(), y.data()}, &pool);
  EXPECT_EQ(y, expected);
}

TEST(CopyStrided, EveryPermutationOfAxes) {
  ThreadPool pool;
  pool.start(2);
  for (const Integers& shape : {Integers{7, 5}, {3, 65, 17}, {2, 3, 33, 5}, {130, 1, 67}, {600, 300}, {1, 1}}) {
    Integers order(shape.size());
    std::iota(order.begin(), order.end(), 0);
    const Integers strides = row_major(shape);
    const auto size = static_cast<std::size_t>(std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>()));
    do {
      Integers lengths, x_strides;
      for (const std::int32_t axis : order) {
        lengths.push_back(shape[static_cast<std::size_t>(axis)]);
        x_strides.push_back(strides[static_cast<std::size_t>(axis)]);
      }
      check(lengths, x_strides, row_major(lengths), size, size, pool);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(CopyStrided, WindowsThatOverlapAndPartsOfALongerAxis) {
  ThreadPool pool;
  check({5, 8}, {3, 1}, {8, 1}, 20, 40, pool);   // windows of 8, every 3
  check({3, 4}, {4, 1}, {10, 1}, 12, 26, pool);  // into columns of 10
  check({2, 6}, {0, 1}, {6, 1}, 6, 12, pool);    // repeated
  check({2, 6}, {1, 0}, {6, 1}, 2, 12, pool);
  check({4, 3}, {1, 4}, {1, 4}, 12, 12, pool);  // both transposed
  check({}, {}, {}, 1, 1, pool);
  check({0, 3}, {3, 1}, {3, 1}, 0, 0, pool);
}

}  // namespace
}  // namespace fovea::test
