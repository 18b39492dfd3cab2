#pragma once
/// A compiled pattern: which scores are computed, in units of work, as 32-bit words that stand for themselves. A unit is a
/// block of queries with the keys that any of them needs, in tiles; of a tile those strips of queries are named that have
/// enough of its keys, with a bit for every pair unless all count. Pairs that are too few for that are listed as edges, row by
/// row.
///   plan  = passes, units, tables, pairs (float), unit table's place, bias tables' place, first unit of each pass [passes +
///   1],
///           unit..., unit table [units], bias table...
///   unit  = its words, its work, rows, first row | kListed, tiles, edge rows, flags, [rows], tile..., edge row...
///   tile  = keys, first key | kListed, entries, [keys], entry...
///   entry = strip | from / 8 << 16 | to / 8 << 20 | partial << 31, [a 64-bit mask for each row of a strip if partial]
///   edge row = row of the block, keys, [keys]
///   bias table = its words, [queries + 1] starts, [pairs] keys, [pairs] floats: added to the logits of these pairs
/// A plan is of one build: strips have kPanelRows rows.

#include <bit>
#include <cstddef>
#include <cstdint>

#include "ops/panels.hpp"

namespace fovea {

inline constexpr std::uint32_t kListed = ~std::uint32_t{0};

/// Of a unit: its rows have seen no key before; they will see none after.
inline constexpr std::uint32_t kStarts = 1, kEnds = 2;

/// Words of an entry's masks.
inline constexpr std::size_t kMaskWords = 2 * kPanelRows;

enum PlanHeader : std::size_t { kPasses, kUnits, kTables, kPairs, kUnitTable, kBiasTables, kFirstUnits };

class Plan {
 public:
  explicit Plan(const std::uint32_t* words) noexcept : words_(words) {}

  [[nodiscard]] std::size_t passes() const noexcept { return words_[kPasses]; }
  [[nodiscard]] std::size_t units() const noexcept { return words_[kUnits]; }
  [[nodiscard]] std::size_t tables() const noexcept { return words_[kTables]; }
  /// About how many pairs are computed.
  [[nodiscard]] float pairs() const noexcept { return std::bit_cast<float>(words_[kPairs]); }
  [[nodiscard]] std::size_t first_unit(std::size_t pass) const noexcept { return words_[kFirstUnits + pass]; }
  [[nodiscard]] std::size_t units_of(std::size_t pass) const noexcept { return first_unit(pass + 1) - first_unit(pass); }
  [[nodiscard]] const std::uint32_t* unit(std::size_t index) const noexcept {
    return words_ + words_[words_[kUnitTable] + index];
  }
  [[nodiscard]] const std::uint32_t* first_table() const noexcept { return words_ + words_[kBiasTables]; }

 private:
  const std::uint32_t* words_;
};

/// Consecutive from `first` on, or listed.
struct PlanIndices {
  std::uint32_t count = 0, first = 0;
  const std::uint32_t* list = nullptr;

  [[nodiscard]] std::size_t at(std::size_t index) const noexcept { return list != nullptr ? list[index] : first + index; }
};

struct PlanEntry {
  std::size_t strip, from, to;  // columns [from, to) of the tile, multiples of 8
  const std::uint32_t* masks;   // null: all pairs

  [[nodiscard]] std::uint64_t mask(std::size_t row) const noexcept {
    return masks[2 * row] | std::uint64_t{masks[2 * row + 1]} << 32;
  }
};

/// Reads a unit from front to back.
class PlanReader {
 public:
  explicit PlanReader(const std::uint32_t* unit) noexcept : tiles(unit[4]), edge_rows(unit[5]), flags(unit[6]), at_(unit + 7) {
    rows = read(unit[2], unit[3]);
  }

  PlanIndices rows;
  std::size_t tiles, edge_rows;
  std::uint32_t flags;

  /// The next tile's keys; then its entries must be read.
  PlanIndices tile(std::size_t& entries) noexcept {
    const std::uint32_t count = at_[0], first = at_[1];
    entries = at_[2];
    at_ += 3;
    return read(count, first);
  }

  PlanEntry entry() noexcept {
    const std::uint32_t word = *at_++;
    const PlanEntry entry = {word & 0xFFFF, (word >> 16 & 0xF) * 8, (word >> 20 & 0xF) * 8, word >> 31 != 0 ? at_ : nullptr};
    if (entry.masks != nullptr) at_ += kMaskWords;
    return entry;
  }

  /// The next row with edges, once all tiles are read.
  PlanIndices edges(std::size_t& row) noexcept {
    row = at_[0];
    const std::uint32_t count = at_[1];
    at_ += 2;
    return read(count, kListed);
  }

 private:
  PlanIndices read(std::uint32_t count, std::uint32_t first) noexcept {
    if (first != kListed) return {count, first, nullptr};
    const std::uint32_t* const list = at_;
    at_ += count;
    return {count, 0, list};
  }

  const std::uint32_t* at_;
};

}  // namespace fovea
