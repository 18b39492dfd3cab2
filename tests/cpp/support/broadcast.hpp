#pragma once
/// Shapes whose arrays repeat some of their axes.

#include <array>

#include "ops/row_walk.hpp"
#include "support/bits.hpp"

namespace fovea::test {

/// `has` of each array: 1 = an axis of its own, 0 = repeated.
template <std::size_t N>
struct BroadcastCase {
  std::vector<std::int32_t> lengths;
  std::array<std::vector<std::int32_t>, N> has;
};

template <std::size_t N>
class Broadcast {
 public:
  explicit Broadcast(const BroadcastCase<N>& of) : case_(of) {
    for (std::size_t n = 0; n < N; ++n) {
      strides_[n].resize(of.lengths.size());
      std::int32_t stride = 1;
      for (std::size_t axis = of.lengths.size(); axis-- > 0;) {
        strides_[n][axis] = of.has[n][axis] == 0 ? 0 : stride;
        if (of.has[n][axis] != 0) stride *= of.lengths[axis];
      }
      sizes_[n] = static_cast<std::size_t>(stride);
    }
  }

  std::size_t size() const { return axes().size(); }
  std::size_t size_of(std::size_t array) const { return sizes_[array]; }

  SharedAxes<N> axes() const {
    SharedAxes<N> all;
    all.rank = case_.lengths.size();
    all.lengths = case_.lengths.data();
    for (std::size_t n = 0; n < N; ++n) all.strides[n] = strides_[n].data();
    return all;
  }

  /// Where element `at` of the result comes from.
  std::size_t offset(std::size_t array, std::size_t at) const {
    std::size_t offset = 0;
    for (std::size_t axis = case_.lengths.size(); axis-- > 0;) {
      const auto length = static_cast<std::size_t>(case_.lengths[axis]);
      offset += at % length * static_cast<std::size_t>(strides_[array][axis]);
      at /= length;
    }
    return offset;
  }

 private:
  BroadcastCase<N> case_;
  std::array<std::vector<std::int32_t>, N> strides_;
  std::array<std::size_t, N> sizes_{};
};

inline const std::vector<BroadcastCase<2>> kBroadcastPairs = {
    {{}, {{{}, {}}}},
    {{1}, {{{1}, {1}}}},
    {{7}, {{{1}, {1}}}},
    {{65}, {{{0}, {1}}}},
    {{63}, {{{1}, {0}}}},
    {{6}, {{{0}, {0}}}},
    {{3, 5}, {{{1, 0}, {0, 1}}}},
    {{65, 3}, {{{1, 1}, {0, 1}}}},
    {{65, 5}, {{{0, 1}, {1, 0}}}},
    {{2, 3, 7}, {{{1, 0, 1}, {0, 1, 1}}}},
    {{3, 1, 5, 2}, {{{0, 0, 1, 0}, {1, 0, 0, 1}}}},
    {{130, 2}, {{{0, 0}, {1, 1}}}},
    {{0, 3}, {{{1, 1}, {0, 1}}}},
};

/// Large enough that threads share them.
inline const std::vector<BroadcastCase<2>> kLargeBroadcastPairs = {
    {{100003}, {{{1}, {0}}}},
    {{700, 131}, {{{1, 1}, {0, 1}}}},
    {{131, 700}, {{{1, 0}, {1, 1}}}},
    {{9, 1030, 12}, {{{0, 1, 1}, {1, 1, 0}}}},
};

}  // namespace fovea::test
