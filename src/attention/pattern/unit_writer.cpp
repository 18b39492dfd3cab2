#include "attention/pattern/unit_writer.hpp"

#include <algorithm>
#include <bit>

#include "core/bits.hpp"

namespace fovea {
namespace {

/// Costs of a pair as an edge, and of packing a key for a block, in units of the cost of a pair of a tile. In Node 24 an edge
/// takes 16 ns at width 64 where keys and values are in the cache, a pair of a tile 5.7; of 3, 4, 6, 9 and 14, 3 was never
/// slower and a fifth faster on small neighborhoods. 3, 6 and 12 for packing made no difference (2026-11-21).
constexpr std::uint64_t kLeftoverCost = 3;
constexpr std::uint64_t kPackCost = 6;

std::size_t whole_strips(std::size_t rows) noexcept { return round_up(rows, kMr); }

/// The pairs of one strip and tile.
struct StripMask {
  std::uint64_t rows[kMr];
  std::size_t count = 0;         // of pairs
  std::size_t from = 0, to = 0;  // the columns that hold them, multiples of 8

  [[nodiscard]] std::uint64_t tile_cost() const noexcept { return kMr * (to - from); }
  [[nodiscard]] std::uint64_t leftover_cost() const noexcept { return kLeftoverCost * count; }
  [[nodiscard]] bool is_worth_a_tile() const noexcept { return tile_cost() < leftover_cost(); }
};

StripMask strip_mask(const std::uint64_t* masks, std::size_t stride) noexcept {
  StripMask strip;
  std::uint64_t any = 0;
  for (std::size_t r = 0; r < kMr; ++r) {
    strip.rows[r] = masks[r * stride];
    any |= strip.rows[r];
    strip.count += static_cast<std::size_t>(std::popcount(strip.rows[r]));
  }
  if (any == 0) return strip;
  strip.from = static_cast<std::size_t>(std::countr_zero(any)) / 8 * 8;
  strip.to = round_up(64 - static_cast<std::size_t>(std::countl_zero(any)), 8);
  return strip;
}

/// The count, and the first token or kIndexList.
void put_list_header(WordSink& sink, const TokenList& tokens) noexcept {
  sink.put(static_cast<std::uint32_t>(tokens.count));
  sink.put(tokens.list != nullptr ? kIndexList : static_cast<std::uint32_t>(tokens.first));
}

/// The index list, where there is one.
void put_list(WordSink& sink, const TokenList& tokens) noexcept {
  for (std::size_t n = 0; tokens.list != nullptr && n < tokens.count; ++n) sink.put(tokens.list[n]);
}

}  // namespace

UnitWriter::UnitWriter(std::size_t keys, std::size_t most_rows, WordSink& sink, Workspace& workspace) noexcept
    : sink_(sink),
      columns_(keys, workspace),
      masks_(workspace.take<std::uint64_t>(whole_strips(most_rows), (keys + 63) / 64)) {}

void UnitWriter::begin(std::size_t rows) noexcept {
  columns_.build();
  rows_ = rows;
  tiles_ = columns_.tiles();
  std::fill_n(masks_, whole_strips(rows) * tiles_, 0);
}

void UnitWriter::set_row(std::size_t row, const IntervalSet& intervals) noexcept {
  for (const Interval& interval : intervals) {
    const std::size_t from = columns_.column_of(interval.from), to = from + (interval.to - interval.from);
    for (std::size_t tile = from / 64; 64 * tile < to; ++tile) {
      *mask(row, tile) |= bit_range(std::max(from, 64 * tile) - 64 * tile, std::min(to, 64 * tile + 64) - 64 * tile);
    }
  }
}

void UnitWriter::repeat_row() noexcept {
  for (std::size_t row = 1; row < rows_; ++row) std::copy_n(mask(0, 0), tiles_, mask(row, 0));
}

std::uint64_t UnitWriter::write(const std::uint32_t* rows, std::uint32_t flags) noexcept {
  const bool consecutive = rows[rows_ - 1] - rows[0] == rows_ - 1;
  const TokenList queries = {rows[0], rows_, consecutive ? nullptr : rows};
  computed_ = 0;
  const std::size_t begin = sink_.reserve_slot(), work_at = sink_.reserve_slot();
  put_list_header(sink_, queries);
  const std::size_t tiles_at = sink_.reserve_slot(), leftover_at = sink_.reserve_slot();
  sink_.put(flags);
  put_list(sink_, queries);
  std::uint32_t tiles = 0;
  for (std::size_t tile = 0; tile < tiles_; ++tile) {
    if (!is_worth_packing(tile)) continue;
    const TokenList keys = columns_.tile(tile);
    put_list_header(sink_, keys);
    const std::size_t entries_at = sink_.reserve_slot();
    put_list(sink_, keys);
    sink_.set(entries_at, write_entries(tile));
    ++tiles;
  }
  sink_.set(tiles_at, tiles);
  sink_.set(leftover_at, write_leftover_pairs());
  sink_.set(begin, static_cast<std::uint32_t>(sink_.size() - begin));
  sink_.set(work_at, static_cast<std::uint32_t>(std::min<std::uint64_t>(computed_, UINT32_MAX)));
  columns_.clear();
  return computed_;
}

/// Whether what its strips save by it, against edges, is more than packing its keys.
bool UnitWriter::is_worth_packing(std::size_t tile) const noexcept {
  std::uint64_t saved = 0;
  for (std::size_t row = 0; row < rows_; row += kMr) {
    const StripMask strip = strip_mask(mask(row, tile), tiles_);
    if (strip.is_worth_a_tile()) saved += strip.leftover_cost() - strip.tile_cost();
  }
  return saved > kPackCost * columns_.tile(tile).count;
}

std::uint32_t UnitWriter::write_entries(std::size_t tile) noexcept {
  std::uint32_t entries = 0;
  for (std::size_t row = 0; row < rows_; row += kMr) {
    const StripMask strip = strip_mask(mask(row, tile), tiles_);
    if (!strip.is_worth_a_tile()) continue;
    const std::size_t rows = std::min(kMr, rows_ - row);
    const bool full = strip.count == 64 * rows;
    sink_.put(static_cast<std::uint32_t>(row / kMr | strip.from / 8 << 16 | strip.to / 8 << 20) |
              (full ? 0 : std::uint32_t{1} << 31));
    for (std::size_t r = 0; !full && r < kMr; ++r) {
      sink_.put(static_cast<std::uint32_t>(strip.rows[r]));
      sink_.put(static_cast<std::uint32_t>(strip.rows[r] >> 32));
    }
    for (std::size_t r = 0; r < kMr; ++r) *mask(row + r, tile) = 0;
    computed_ += strip.tile_cost();
    ++entries;
  }
  return entries;
}

/// All pairs that are left.
std::uint32_t UnitWriter::write_leftover_pairs() noexcept {
  std::uint32_t leftover_rows = 0;
  for (std::size_t row = 0; row < rows_; ++row) {
    std::size_t count_at = 0;
    std::uint32_t count = 0;
    for (std::size_t tile = 0; tile < tiles_; ++tile) {
      for (std::uint64_t left = *mask(row, tile); left != 0; left &= left - 1) {
        if (count == 0) {
          sink_.put(static_cast<std::uint32_t>(row));
          count_at = sink_.reserve_slot();
        }
        sink_.put(columns_.key_of(64 * tile + static_cast<std::size_t>(std::countr_zero(left))));
        ++count;
      }
    }
    if (count == 0) continue;
    sink_.set(count_at, count);
    computed_ += kLeftoverCost * count;
    ++leftover_rows;
  }
  return leftover_rows;
}

}  // namespace fovea
