#include "attention/score/tile_masks.hpp"

#include <algorithm>
#include <bit>

#include "core/bits.hpp"
#include "core/infinity.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

/// Bit j: entry j of a mask row is anything but `forbidden`.
template <class Batch>
std::uint64_t bits_other_than(typename Batch::value_type forbidden, const typename Batch::value_type* row,
                              std::ptrdiff_t stride, std::size_t count) noexcept {
  std::uint64_t set = 0;
  if (stride == 1 && count == kKeyTile) {
    for (std::size_t j = 0; j < kKeyTile; j += Batch::size) {
      set |= (Batch::load_unaligned(row + j) != Batch(forbidden)).mask() << j;
    }
    return set;
  }
  for (std::size_t j = 0; j < count; ++j) {
    set |= static_cast<std::uint64_t>(row[static_cast<std::ptrdiff_t>(j) * stride] != forbidden) << j;
  }
  return set;
}

/// Bit j: query row r of the tile and key j, one of the first `count`, are not forbidden by the mask. All of them where there is
/// no mask.
template <class Batch, class T>
std::uint64_t mask_bits(const PairsView<T>& mask, T forbidden, const ScoreTile& tile, std::size_t r,
                        std::size_t count) noexcept {
  if (mask.data == nullptr) return ~std::uint64_t{0};
  const T* const row = mask.row(tile.batch, tile.head, tile.query_of(r));
  if (tile.key_list == nullptr) {
    return bits_other_than<Batch>(forbidden, row + static_cast<std::ptrdiff_t>(tile.key) * mask.key, mask.key, count);
  }
  std::uint64_t set = 0;
  for (std::size_t j = 0; j < count; ++j) {
    set |= static_cast<std::uint64_t>(row[static_cast<std::ptrdiff_t>(tile.key_list[j]) * mask.key] != forbidden) << j;
  }
  return set;
}

/// Bit j: no mask array forbids query row r and key j of the tile, one of the first `count`.
std::uint64_t unmasked(const AttentionInputs& inputs, const ScoreTile& tile, std::size_t r, std::size_t count) noexcept {
  return mask_bits<simd::u8>(inputs.bool_mask, std::uint8_t{0}, tile, r, count) &
         mask_bits<simd::u8>(inputs.key_bool_mask, std::uint8_t{0}, tile, r, count) &
         mask_bits<f32>(inputs.float_mask, kMinusInfinity, tile, r, count) &
         mask_bits<f32>(inputs.key_float_mask, kMinusInfinity, tile, r, count);
}

/// Bit j: key j of the tile, whose keys follow each other, is in the range.
std::uint64_t in_tile(const ScoreTile& tile, const KeyRange& range) noexcept {
  const std::size_t end = tile.key + tile.keys;
  return bit_range(std::clamp(range.from, tile.key, end) - tile.key, std::clamp(range.to, tile.key, end) - tile.key);
}

}  // namespace

bool allows_all(const AttentionArgs& args, std::size_t batch, std::size_t first, std::size_t count, std::size_t key) noexcept {
  if (args.has_mask()) return false;
  // The last query's range begins last, the first one's ends first.
  const PositionRules rules = args.position_rules(batch);
  if (const KeyRange evicted = rules.evicted_for(first + count - 1); evicted.from < evicted.to) {
    if (evicted.from < key + kKeyTile && evicted.to > key) return false;
  }
  return rules.keys_of(first + count - 1).from <= key && key + kKeyTile <= rules.keys_of(first).to;
}

bool ring_evicts(const AttentionArgs& args, std::size_t batch, std::size_t first, std::size_t key, std::size_t count) noexcept {
  const KeyRange evicted = args.position_rules(batch).evicted_for(first);
  return evicted.from <= key && key + count <= evicted.to;
}

std::size_t skip_evicted(const AttentionArgs& args, std::size_t batch, std::size_t first, std::size_t key) noexcept {
  if (!all_evicted(args, batch, first, key, kKeyTile)) return key;
  return args.position_rules(batch).evicted_for(first).to / kKeyTile * kKeyTile;
}

void mark_allowed(const AttentionInputs& inputs, const PositionRules& rules, ScoreTile& tile) noexcept {
  const std::size_t positioned = positioned_columns(rules, tile);
  const std::uint64_t appended = bit_range(positioned, tile.keys);
  const bool masked = inputs.has_mask();
  std::uint64_t all = ~std::uint64_t{0};
  for (std::size_t r = 0; r < tile.rows; ++r) {
    std::uint64_t allowed = tile.planned ? tile.allowed[r] : 0;
    if (r < tile.queries) {
      if (!tile.planned) {
        allowed = in_tile(tile, rules.keys_of(tile.query + r));
        if (rules.kept_window != kUnbounded) allowed &= ~in_tile(tile, rules.evicted_for(tile.query + r));
        allowed |= appended;
      }
      if (masked && allowed != 0) allowed &= unmasked(inputs, tile, r, positioned) | appended;
    }
    tile.allowed[r] = allowed;
    all &= allowed;
  }
  tile.all_allowed = all == ~std::uint64_t{0};
}

void mark_all_allowed(ScoreTile& tile) noexcept {
  std::fill_n(tile.allowed, kMr, ~std::uint64_t{0});
  tile.all_allowed = true;
}

void mask_scores(ScoreTile& tile) noexcept {
  for (std::size_t r = 0; r < tile.rows; ++r) {
    const std::uint64_t allowed = tile.allowed[r];
    if (allowed == ~std::uint64_t{0}) continue;
    over_columns(tile, [&](std::size_t j) {
      store(tile.s[r] + j, simd::select(simd::lanes(allowed >> j), load(tile.s[r] + j), splat(kMinusInfinity)));
    });
  }
}

void mask_evicted(const AttentionArgs& args, ScoreTile& tile) noexcept {
  const PositionRules rules = args.position_rules(tile.batch);
  for (std::size_t r = 0; r < tile.queries; ++r) {
    for (std::uint64_t left = in_tile(tile, rules.evicted_for(tile.query_of(r))); left != 0; left &= left - 1) {
      tile.s[r][std::countr_zero(left)] = kMinusInfinity;
    }
  }
}

}  // namespace fovea
