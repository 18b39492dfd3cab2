#pragma once
/// The keys of one row as intervals, and the algebra of sets on them. Every operation takes time and room in proportion to the
/// intervals.

#include <cstddef>
#include <cstdint>

#include "attention/problem/position_rules.hpp"

namespace fovea {

/// Keys [from, to), from < to.
struct Interval {
  std::uint32_t from, to;

  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Ascending intervals that neither overlap nor touch, in memory that somebody else owns, with room for all of them.
class IntervalSet {
 public:
  explicit IntervalSet(Interval* data = nullptr, std::size_t count = 0) noexcept : data_(data), count_(count) {}

  /// The most intervals that sets of [0, keys) have, and one that is added behind.
  static constexpr std::size_t max_intervals(std::size_t keys) noexcept { return keys / 2 + 1; }

  [[nodiscard]] const Interval* begin() const noexcept { return data_; }
  [[nodiscard]] const Interval* end() const noexcept { return data_ + count_; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }

  void clear() noexcept { count_ = 0; }

  /// Adds [from, to), where no key before `from` will be added any more. Empty intervals are left out.
  void add(std::uint32_t from, std::uint32_t to) noexcept {
    if (from >= to) return;
    if (count_ > 0 && data_[count_ - 1].to >= from) {
      if (to > data_[count_ - 1].to) data_[count_ - 1].to = to;
    } else {
      data_[count_++] = {from, to};
    }
  }

  void add(const KeyRange& range) noexcept {
    add(static_cast<std::uint32_t>(range.from), static_cast<std::uint32_t>(range.to));
  }

  [[nodiscard]] std::size_t keys() const noexcept;

 private:
  Interval* data_;
  std::size_t count_;
};

/// out <- a ∪ b, a ∩ b, a \ b. `out` is neither a nor b.
void unite(const IntervalSet& a, const IntervalSet& b, IntervalSet& out) noexcept;
void intersect(const IntervalSet& a, const IntervalSet& b, IntervalSet& out) noexcept;
void subtract(const IntervalSet& a, const IntervalSet& b, IntervalSet& out) noexcept;

}  // namespace fovea
