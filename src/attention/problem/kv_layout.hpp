#pragma once
/// How the keys and values of a call lie in memory, where that is a cache. Keys are counted from the first token ever seen.
///   Row of key j: j below `keep_first`, else j - evicted_rows. Keys [keep_first, keep_first + evicted_rows) are gone: no row
///     holds them.
///   A ring forbids a query at p the keys from `keep_first` to p - window: keys that are gone, and keys that would have been
///   gone if tokens had come one at a time.

#include <cstddef>
#include <cstdint>

#include "attention/problem/position_rules.hpp"

namespace fovea {

struct KvLayout {
  /// k and v point to float16 elements; their strides count those.
  bool float16 = false;
  std::size_t keep_first = 0, evicted_rows = 0;
  std::ptrdiff_t window = kUnbounded;  // at least 1; kUnbounded: no ring
  /// Whether float16 keys and values are converted while they are read: they have no infinity, no NaN and few subnormals
  /// (append_rows.hpp).
  bool converts_inline = false;

  /// Whether k and v are float32 with row j at j.
  [[nodiscard]] bool is_dense_f32() const noexcept { return !float16 && evicted_rows == 0; }
  /// One past the last key that is gone.
  [[nodiscard]] std::size_t first_kept() const noexcept { return keep_first + evicted_rows; }
  [[nodiscard]] bool holds(std::size_t key) const noexcept { return key < keep_first || key >= first_kept(); }
  [[nodiscard]] std::size_t row_of(std::size_t key) const noexcept { return key < keep_first ? key : key - evicted_rows; }
};

}  // namespace fovea
