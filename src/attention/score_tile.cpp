#include "attention/score_tile.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "attention/key_rows.hpp"
#include "attention/relative_positions.hpp"
#include "attention/score_bias.hpp"
#include "attention/score_products.hpp"
#include "core/bits.hpp"
#include "core/infinity.hpp"
#include "ops/dot.hpp"
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

/// Bit j: query row r of the tile and key j are not forbidden by the mask. All of them where there is no mask.
template <class Batch, class T>
std::uint64_t mask_bits(const PairsView<T>& mask, T forbidden, const ScoreTile& tile, std::size_t r) noexcept {
  if (mask.data == nullptr) return ~std::uint64_t{0};
  const T* const row = mask.row(tile.batch, tile.head, tile.query_of(r));
  if (tile.key_list == nullptr) {
    return bits_other_than<Batch>(forbidden, row + static_cast<std::ptrdiff_t>(tile.key) * mask.key, mask.key, tile.keys);
  }
  std::uint64_t set = 0;
  for (std::size_t j = 0; j < tile.keys; ++j) {
    set |= static_cast<std::uint64_t>(row[static_cast<std::ptrdiff_t>(tile.key_list[j]) * mask.key] != forbidden) << j;
  }
  return set;
}

/// Bit j: key j of the tile, whose keys follow each other, is in the range.
std::uint64_t in_tile(const ScoreTile& tile, const KeyRange& range) noexcept {
  const std::size_t end = tile.key + tile.keys;
  return bit_range(std::clamp(range.from, tile.key, end) - tile.key, std::clamp(range.to, tile.key, end) - tile.key);
}

/// highest <- the scores as they are now
void find_highest(ScoreTile& tile) noexcept {
  for (std::size_t r = 0; r < tile.rows; ++r) {
    const std::uint64_t allowed = tile.allowed[r];
    f32 highest = splat(kMinusInfinity);
    if (allowed == ~std::uint64_t{0}) {
      over_columns(tile, [&](std::size_t j) { highest = simd::max(highest, load(tile.s[r] + j)); });
    } else if (allowed != 0) {
      over_columns(tile, [&](std::size_t j) {
        highest = simd::max(highest, simd::select(simd::lanes(allowed >> j), load(tile.s[r] + j), splat(kMinusInfinity)));
      });
    }
    store(tile.highest[r], highest);
  }
}

/// Scores beyond kLarge that count beside the highest of their row and tile are large: both in units of the temperature.
constexpr float kLarge = 16.0f;
constexpr float kNegligible = 16.0f;  // exp(-16) = 1e-7 of the highest weight

/// False if no row has large scores, by a look at `highest` alone.
bool may_have_large_scores(const ScoreTile& tile, float temperature) noexcept {
  const f32 large = splat(kLarge * temperature);
  auto small = simd::abs(load(tile.highest[0])) <= large;
  for (std::size_t r = 1; r < tile.rows; ++r) small = small && simd::abs(load(tile.highest[r])) <= large;
  return !simd::all(small);
}

/// Bit j: score j of row r is large. Only allowed scores count.
std::uint64_t large_scores(const ScoreTile& tile, std::size_t r, float temperature) noexcept {
  const float highest = simd::reduce_max(load(tile.highest[r])), large = kLarge * temperature;
  if (!(std::abs(highest) > large)) return 0;
  std::uint64_t found = 0;
  over_columns(tile, [&](std::size_t j) {
    const f32 s = load(tile.s[r] + j);
    found |= (simd::abs(s) > splat(large) && s >= splat(highest - kNegligible * temperature)).mask() << j;
  });
  return found & tile.allowed[r];
}

/// q · (k + rK[c]) in double
double score_in_double(const AttentionArgs& args, const ScoreTile& tile, std::size_t r, std::size_t j) noexcept {
  const float* const query = args.q.row(tile.batch, tile.head, tile.query_of(r));
  const StoredRows stored = StoredRows::keys(args, tile.batch, tile.kv_head);
  const double score = dot_with_key(args.store, stored, tile.key_of(j), query);
  const RelativeTable& keys = args.axes.relative_keys;
  if (keys.data == nullptr) return score;
  const std::size_t distance = clipped_distance(tile.key_of(j), args.place(tile.batch).position(tile.query_of(r)), keys.clip);
  return score + dot_in_double(query, keys.of(tile.head) + distance * args.width, args.width);
}

/// s <- scale q · k in double, where float32 is not enough
void refine_large_scores(const AttentionArgs& args, ScoreTile& tile) noexcept {
  const float temperature = args.axes.temperature;
  if (!may_have_large_scores(tile, temperature)) return;
  for (std::size_t r = 0; r < tile.queries; ++r) {
    for (std::uint64_t large = large_scores(tile, r, temperature); large != 0; large &= large - 1) {
      const auto j = static_cast<std::size_t>(std::countr_zero(large));
      tile.s[r][j] = static_cast<float>(score_in_double(args, tile, r, j) * static_cast<double>(args.scale));
    }
  }
  find_highest(tile);
}

/// s <- scale * s: what the queries' packing does where there is no cap
void scale_scores(const AttentionArgs& args, ScoreTile& tile) noexcept {
  for (std::size_t r = 0; r < tile.rows; ++r) {
    over_columns(tile, [&](std::size_t j) { store(tile.s[r] + j, load(tile.s[r] + j) * splat(args.scale)); });
  }
}

/// s <- softcap * tanh(s / softcap)
void cap(const AttentionArgs& args, ScoreTile& tile) noexcept {
  const f32 softcap = splat(args.softcap);
  for (std::size_t r = 0; r < tile.rows; ++r) {
    float* const s = tile.s[r];
    over_columns(tile, [&](std::size_t j) { store(s + j, softcap * simd::tanh(load(s + j) / softcap)); });
  }
}

/// s <- s / temperature, and `highest` with it: rounding keeps the order. What is finite does not become -inf, which forbids.
void divide_by_temperature(const AttentionArgs& args, ScoreTile& tile) noexcept {
  const f32 temperature = splat(args.axes.temperature), lowest = splat(std::numeric_limits<float>::lowest());
  const auto divide = [&](float* at) {
    const f32 x = load(at);
    store(at, simd::select(x == splat(kMinusInfinity), x, simd::at_least(x / temperature, lowest)));
  };
  for (std::size_t r = 0; r < tile.rows; ++r) {
    over_columns(tile, [&](std::size_t j) { divide(tile.s[r] + j); });
    divide(tile.highest[r]);
  }
}

/// s <- -inf where not allowed, whatever s is there
void forbid(ScoreTile& tile) noexcept {
  for (std::size_t r = 0; r < tile.rows; ++r) {
    const std::uint64_t allowed = tile.allowed[r];
    if (allowed == ~std::uint64_t{0}) continue;
    over_columns(tile, [&](std::size_t j) {
      store(tile.s[r] + j, simd::select(simd::lanes(allowed >> j), load(tile.s[r] + j), splat(kMinusInfinity)));
    });
  }
}

}  // namespace

KeyRange allowed_keys(const AttentionArgs& args, std::size_t batch, std::size_t first, std::size_t count) noexcept {
  const Place place = args.place(batch);
  return {place.keys_of(first).from, place.keys_of(first + count - 1).to};
}

bool allows_all(const AttentionArgs& args, std::size_t batch, std::size_t first, std::size_t count, std::size_t key) noexcept {
  if (args.bool_mask.data != nullptr || args.float_mask.data != nullptr) return false;
  // The last query's range begins last, the first one's ends first.
  const Place place = args.place(batch);
  if (const KeyRange evicted = place.evicted_for(first + count - 1); evicted.from < evicted.to) {
    if (evicted.from < key + kKeyTile && evicted.to > key) return false;
  }
  return place.keys_of(first + count - 1).from <= key && key + kKeyTile <= place.keys_of(first).to;
}

bool ring_evicts(const AttentionArgs& args, std::size_t batch, std::size_t first, std::size_t key, std::size_t count) noexcept {
  const KeyRange evicted = args.place(batch).evicted_for(first);
  return evicted.from <= key && key + count <= evicted.to;
}

std::size_t skip_evicted(const AttentionArgs& args, std::size_t batch, std::size_t first, std::size_t key) noexcept {
  if (!all_evicted(args, batch, first, key, kKeyTile)) return key;
  return args.place(batch).evicted_for(first).to / kKeyTile * kKeyTile;
}

void forbid_evicted(const AttentionArgs& args, ScoreTile& tile) noexcept {
  const Place place = args.place(tile.batch);
  for (std::size_t r = 0; r < tile.queries; ++r) {
    for (std::uint64_t left = in_tile(tile, place.evicted_for(tile.query_of(r))); left != 0; left &= left - 1) {
      tile.s[r][std::countr_zero(left)] = kMinusInfinity;
    }
  }
}

void mark_all_allowed(ScoreTile& tile) noexcept {
  std::fill_n(tile.allowed, kPanelRows, ~std::uint64_t{0});
  tile.all_allowed = true;
}

void mark_allowed(const AttentionArgs& args, ScoreTile& tile) noexcept {
  const Place place = args.place(tile.batch);
  std::uint64_t all = ~std::uint64_t{0};
  for (std::size_t r = 0; r < tile.rows; ++r) {
    std::uint64_t allowed = tile.planned ? tile.allowed[r] : 0;
    if (r < tile.queries) {
      if (!tile.planned) {
        allowed = in_tile(tile, place.keys_of(tile.query + r));
        if (place.kept_window != kUnbounded) allowed &= ~in_tile(tile, place.evicted_for(tile.query + r));
      }
      if (allowed != 0) allowed &= mask_bits<simd::u8>(args.bool_mask, std::uint8_t{0}, tile, r);
      if (allowed != 0) allowed &= mask_bits<f32>(args.float_mask, kMinusInfinity, tile, r);
    }
    tile.allowed[r] = allowed;
    all &= allowed;
  }
  tile.all_allowed = all == ~std::uint64_t{0};
}

void finish_scores(const AttentionArgs& args, ScoreTile& tile, LogitStage stage) noexcept {
  const bool capped = args.softcap > 0.0f, biased = has_bias(args, tile);
  score_far_pairs(args, tile, stage);
  if (tile.relative != nullptr) {
    add_by_distance(args, tile, tile.relative, tile.relative_stride, args.axes.relative_keys.clip);
  }
  if (scales_scores(args)) scale_scores(args, tile);
  find_highest(tile);
  if (args.axes.score == Score::Dot) refine_large_scores(args, tile);
  if (stage == LogitStage::Raw) return;
  if (capped) cap(args, tile);
  if (stage == LogitStage::Capped) return;
  if (biased) add_bias(args, tile);
  if (!tile.all_allowed) forbid(tile);
  if (capped || biased) find_highest(tile);
  if (args.axes.temperature != 1.0f) divide_by_temperature(args, tile);
}

}  // namespace fovea
