#pragma once
/// Writes one unit of a plan: a block of queries, from the keys of each of its rows.

#include <cstddef>
#include <cstdint>

#include "attention/pattern/interval_set.hpp"
#include "attention/pattern/key_union.hpp"
#include "core/word_sink.hpp"
#include "core/workspace.hpp"

namespace fovea {

class UnitWriter {
 public:
  /// For blocks of up to `most_rows`. Only to be used if the workspace sufficed.
  UnitWriter(std::size_t keys, std::size_t most_rows, WordSink& sink, Workspace& workspace) noexcept;

  /// First every row's keys are added to `columns`, which write() clears.
  [[nodiscard]] KeyUnion& columns() noexcept { return columns_; }

  /// Then, after begin(), every row's keys are set.
  void begin(std::size_t rows) noexcept;
  void set_row(std::size_t row, const IntervalSet& intervals) noexcept;
  /// The keys of row 0 are those of all rows.
  void repeat_row() noexcept;

  /// Returns how many pairs will be computed. `rows` are the queries, ascending.
  std::uint64_t write(const std::uint32_t* rows, std::uint32_t flags) noexcept;

 private:
  std::uint64_t* mask(std::size_t row, std::size_t tile) const noexcept { return masks_ + row * tiles_ + tile; }
  std::uint32_t write_entries(std::size_t tile) noexcept;
  bool is_worth_packing(std::size_t tile) const noexcept;
  std::uint32_t write_leftover_pairs() noexcept;

  WordSink& sink_;
  KeyUnion columns_;
  std::uint64_t* masks_;  // [rows of whole strips][tiles]; those written as tiles are cleared
  std::size_t rows_ = 0, tiles_ = 0;
  std::uint64_t computed_ = 0;
};

}  // namespace fovea
