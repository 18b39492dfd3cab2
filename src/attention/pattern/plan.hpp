#pragma once
/// A compiled pattern: which scores are computed, in units of work, as position-independent 32-bit words. A unit is a few
/// queries with the keys that any of them needs, in tiles. A block is one strip of queries and one tile of keys with enough
/// pairs of both, and a bit for every pair unless all count. Pairs that are too few for a block are left over, and listed row
/// by row.
///   plan         = passes, units, tables, pairs (float), offset of the unit table, offset of the bias tables,
///                  first unit of each pass [passes + 1], unit..., unit table [units], bias table...
///   unit         = its words, its work, rows, first row | kIndexList, tiles, leftover rows, flags,
///                  [rows], tile..., leftover row...
///   tile         = keys, first key | kIndexList, blocks, [keys], block...
///   block        = strip | from / 8 << 16 | to / 8 << 20 | partial << 31, [a 64-bit mask for each row of a strip if partial]
///   leftover row = row of the unit, keys, [keys]
///   bias table   = its words, whether edges, [queries + 1] starts, [pairs] keys, then what is added to the logits of these pairs:
///                  [pairs] floats, or of edges [pairs] numbers in the graph's list of pairs
/// kIndexList: an index list [rows] or [keys] follows. A plan holds for one build: strips have kMr rows.

#include <bit>
#include <cstddef>
#include <cstdint>

#include "attention/problem/token_list.hpp"
#include "gemm/panels.hpp"

namespace fovea {

inline constexpr std::uint32_t kIndexList = ~std::uint32_t{0};

/// Flags of a unit: its pass is the first of its rows, or the last.
inline constexpr std::uint32_t kFirstPass = 1, kLastPass = 2;

/// Words of an entry's masks.
inline constexpr std::size_t kMaskWords = 2 * kMr;

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

struct PlanBlock {
  std::size_t strip, from, to;  // columns [from, to) of the tile, multiples of 8
  const std::uint32_t* masks;   // null: all pairs

  [[nodiscard]] std::uint64_t mask(std::size_t row) const noexcept {
    return masks[2 * row] | std::uint64_t{masks[2 * row + 1]} << 32;
  }
};

/// Reads a unit from front to back.
class PlanReader {
 public:
  explicit PlanReader(const std::uint32_t* unit) noexcept
      : tiles(unit[4]), leftover_rows(unit[5]), flags(unit[6]), at_(unit + 7) {
    rows = read(unit[2], unit[3]);
  }

  TokenList rows;
  std::size_t tiles, leftover_rows;
  std::uint32_t flags;

  /// The next tile's keys; then its entries must be read.
  TokenList tile(std::size_t& entries) noexcept {
    const std::uint32_t count = at_[0], first = at_[1];
    entries = at_[2];
    at_ += 3;
    return read(count, first);
  }

  PlanBlock entry() noexcept {
    const std::uint32_t word = *at_++;
    const PlanBlock entry = {word & 0xFFFF, (word >> 16 & 0xF) * 8, (word >> 20 & 0xF) * 8, word >> 31 != 0 ? at_ : nullptr};
    if (entry.masks != nullptr) at_ += kMaskWords;
    return entry;
  }

  /// The next row with edges, once all tiles are read.
  TokenList leftover_pairs(std::size_t& row) noexcept {
    row = at_[0];
    const std::uint32_t count = at_[1];
    at_ += 2;
    return read(count, kIndexList);
  }

 private:
  TokenList read(std::uint32_t count, std::uint32_t first) noexcept {
    if (first != kIndexList) return {first, count};
    const std::uint32_t* const list = at_;
    at_ += count;
    return {0, count, list};
  }

  const std::uint32_t* at_;
};

}  // namespace fovea
