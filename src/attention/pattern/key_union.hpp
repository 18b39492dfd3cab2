#pragma once
/// The keys that any query of a block needs, as columns of tiles of 64. Where it adds at most half as many columns, the
/// tiles are those of dense attention, so that sums run in the same order; otherwise the needed keys are gathered.

#include <cstddef>
#include <cstdint>

#include "attention/pattern/interval_set.hpp"
#include "attention/pattern/plan.hpp"
#include "core/workspace.hpp"

namespace fovea {

class KeyUnion {
 public:
  /// Only to be used if the workspace sufficed.
  KeyUnion(std::size_t keys, Workspace& workspace) noexcept;

  void clear() noexcept;
  void add(const IntervalSet& intervals) noexcept;

  /// Assigns the columns, once every key is added.
  void build() noexcept;

  [[nodiscard]] std::size_t tiles() const noexcept { return (columns_ + 63) / 64; }

  /// The column of a key that was added. Keys of one interval have consecutive columns.
  [[nodiscard]] std::size_t column_of(std::uint32_t key) const noexcept;

  [[nodiscard]] TokenList tile(std::size_t index) const noexcept;

  /// The key of a column.
  [[nodiscard]] std::uint32_t key_of(std::size_t column) const noexcept { return keys_of_[column]; }

 private:
  template <class Visit>
  void for_each_word(Visit visit) const noexcept;

  std::size_t keys_, words_, columns_ = 0;
  std::uint64_t* bits_;     // [words]: which keys
  std::uint64_t* touched_;  // [words / 64]: which words of bits_ are not 0
  std::uint32_t* first_;    // [words]: the first column of a word
  std::uint32_t* keys_of_;  // [columns]
  bool aligned_ = false;
};

}  // namespace fovea
