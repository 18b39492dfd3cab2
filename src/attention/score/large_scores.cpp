#include "attention/score/large_scores.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "attention/score/clipped_distance.hpp"
#include "attention/score/key_rows.hpp"
#include "attention/score/row_max.hpp"
#include "core/bits.hpp"
#include "gemm/dot.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;

/// In units of the temperature. Below kLarge a float32 dot product is accurate enough.
constexpr float kLarge = 16.0f;
/// In units of the temperature, below the row maximum: the weight of a score beyond is less than exp(-16) = 1.125e-7 of the
/// largest, one float32 rounding.
constexpr float kNegligible = 16.0f;

/// Products computed together take half the time of products computed one by one.
constexpr int kTogether = 2;

/// False if no row has large scores, judged by row_max alone.
bool may_have_large_scores(const ScoreTile& tile, float temperature) noexcept {
  const f32 large = splat(kLarge * temperature);
  auto small = simd::abs(load(tile.row_max[0])) <= large;
  for (std::size_t r = 1; r < tile.rows; ++r) small = small && simd::abs(load(tile.row_max[r])) <= large;
  return !simd::all(small);
}

/// Bit j: score j of row r is large. Only allowed scores count.
std::uint64_t large_scores(const ScoreTile& tile, std::size_t r, float temperature) noexcept {
  const float row_max = simd::reduce_max(load(tile.row_max[r])), large = kLarge * temperature;
  if (!(std::abs(row_max) > large)) return 0;
  std::uint64_t found = 0;
  over_columns(tile, [&](std::size_t j) {
    const f32 s = load(tile.s[r] + j);
    found |= (simd::abs(s) > splat(large) && s >= splat(row_max - kNegligible * temperature)).mask() << j;
  });
  return found & tile.allowed[r];
}

/// rK[c]; null where there is none: without a table, and for appended keys
const float* relative_key(const AttentionArgs& args, const ScoreTile& tile, std::size_t r, std::size_t j) noexcept {
  const RelativeTable& keys = args.variant.relative_keys;
  const PositionRules rules = args.position_rules(tile.batch);
  if (keys.data == nullptr || tile.key_of(j) >= rules.keys) return nullptr;
  const std::size_t distance = clipped_distance(tile.key_of(j), rules.position(tile.query_of(r)), keys.clip);
  return keys.of(tile.head) + distance * args.width;
}

/// Recomputes the marked scores of row r, q · (k + rK[c]), a few keys at a time.
void recompute_row(const AttentionArgs& args, ScoreTile& tile, std::size_t r, std::uint64_t marked) noexcept {
  const float* const query = args.q.row(tile.batch, tile.head, tile.query_of(r));
  const StoredRows stored = StoredRows::keys(args, tile.batch, tile.kv_head);
  while (marked != 0) {
    std::size_t columns[kDotsTogether], keys[kDotsTogether], count = 0;
    for (; marked != 0 && count < kDotsTogether; marked &= marked - 1, ++count) {
      columns[count] = static_cast<std::size_t>(std::countr_zero(marked));
      keys[count] = tile.key_of(columns[count]);
    }
    double scores[kDotsTogether];
    dots_with_keys(args.kv_layout, stored, {keys, count}, query, scores);
    for (std::size_t n = 0; n < count; ++n) {
      if (const float* const added = relative_key(args, tile, r, columns[n]); added != nullptr) {
        scores[n] += dot_in_double(query, added, args.width);
        // Infinities that cancel.
        if (std::isnan(scores[n])) scores[n] = dot_with_sum(args.kv_layout, stored, keys[n], query, added);
      }
      tile.s[r][columns[n]] = static_cast<float>(scores[n] * static_cast<double>(args.scale));
    }
  }
}

/// The rows of a group whose products are computed together.
struct RowGroup {
  std::size_t first, rows;
  std::uint64_t marked[kDotRows], any;  // large scores of each row, and of all
};

/// Recomputes the columns that are marked in any row of a group, a few at a time, and keeps the marked scores: the same bits as
/// recompute_row. Keys are float32 rows.
template <class Number>
void recompute_columns(const AttentionArgs& args, ScoreTile& tile, const RowGroup& group,
                       const Number* const (&queries)[kDotRows]) noexcept {
  for (std::uint64_t left = group.any; left != 0;) {
    std::size_t columns[kDotColumns];
    const float* keys[kDotColumns];
    for (std::size_t c = 0; c < kDotColumns; ++c) {
      columns[c] = left != 0 ? static_cast<std::size_t>(std::countr_zero(left)) : columns[0];
      keys[c] = args.k.row(tile.batch, tile.kv_head, args.kv_layout.row_of(tile.key_of(columns[c])));
      left &= left - 1;
    }
    float scores[kDotRows][4];
    scaled_dots(queries, keys, args.width, static_cast<double>(args.scale), scores);
    const std::uint64_t run = std::uint64_t{(1 << kDotColumns) - 1} << columns[0];
    const bool is_run = columns[kDotColumns - 1] == columns[0] + kDotColumns - 1;
    for (std::size_t n = 0; n < group.rows; ++n) {
      float* const row = tile.s[group.first + n];
      const std::uint64_t marked = group.marked[n];
      if (is_run && (marked & run) == run) {
        std::copy_n(scores[n], kDotColumns, row + columns[0]);
        continue;
      }
      for (std::size_t c = 0; c < kDotColumns; ++c) {
        if ((marked >> columns[c] & 1) != 0) row[columns[c]] = scores[n][c];
      }
    }
  }
}

void recompute_columns(const AttentionArgs& args, ScoreTile& tile, const RowGroup& group) noexcept {
  constexpr std::size_t kMostConverted = 256;
  const float* queries[kDotRows];
  for (std::size_t n = 0; n < kDotRows; ++n) {
    const std::size_t r = group.first + std::min(n, group.rows - 1);
    queries[n] = args.q.row(tile.batch, tile.head, tile.query_of(r));
  }
  if (args.width > kMostConverted) return recompute_columns<float>(args, tile, group, queries);
  double converted[kDotRows][kMostConverted];
  for (std::size_t n = 0; n < kDotRows; ++n) std::copy_n(queries[n], args.width, converted[n]);
  const double* rows[kDotRows];
  std::transform(converted, converted + kDotRows, rows, [](const double(&row)[kMostConverted]) { return row; });
  recompute_columns<double>(args, tile, group, rows);
}

/// Bit j: the product of query row r and key j is NaN.
std::uint64_t unknown_products(const ScoreTile& tile, std::size_t r) noexcept {
  std::uint64_t unknown = 0;
  over_columns(tile, [&](std::size_t j) {
    const simd::f32 s = simd::load(tile.s[r] + j);
    unknown |= (s != s).mask() << j;
  });
  return unknown;
}

/// The unknown products among the pairs that the stage shows.
std::uint64_t unknown_scores(const ScoreTile& tile, std::size_t r, LogitStage stage) noexcept {
  const bool shows_all = stage != LogitStage::Biased && !tile.planned;
  return unknown_products(tile, r) & bit_range(0, tile.keys) & (shows_all ? ~std::uint64_t{0} : tile.allowed[r]);
}

}  // namespace

void recompute_large_dots(const AttentionArgs& args, ScoreTile& tile) noexcept {
  const float temperature = args.variant.temperature;
  if (!may_have_large_scores(tile, temperature)) return;
  const bool has_rows = args.variant.relative_keys.data == nullptr && !args.kv_layout.float16;
  for (std::size_t first = 0; first < tile.queries; first += kDotRows) {
    RowGroup group = {first, std::min(kDotRows, tile.queries - first), {}, 0};
    int scores = 0;
    for (std::size_t n = 0; n < group.rows; ++n) {
      group.marked[n] = large_scores(tile, first + n, temperature);
      group.any |= group.marked[n];
      scores += std::popcount(group.marked[n]);
    }
    if (has_rows && kTogether * scores > static_cast<int>(kDotRows) * std::popcount(group.any)) {
      recompute_columns(args, tile, group);
    } else {
      for (std::size_t n = 0; n < group.rows; ++n) recompute_row(args, tile, first + n, group.marked[n]);
    }
  }
  update_row_max(tile);
}

void recompute_infinite_dots(const AttentionArgs& args, ScoreTile& tile, LogitStage stage) noexcept {
  const StoredRows stored = StoredRows::keys(args, tile.batch, tile.kv_head);
  for (std::size_t r = 0; r < tile.queries; ++r) {
    std::uint64_t unknown = unknown_scores(tile, r, stage);
    const float* const query = args.q.row(tile.batch, tile.head, tile.query_of(r));
    if (unknown == 0 || std::none_of(query, query + args.width, [](float x) { return std::isinf(x); })) continue;
    for (; unknown != 0; unknown &= unknown - 1) {
      const auto j = static_cast<std::size_t>(std::countr_zero(unknown));
      const float* const added = relative_key(args, tile, r, j);
      if (added == nullptr || !args.kv_layout.holds(tile.key_of(j))) continue;
      const double dot = dot_with_sum(args.kv_layout, stored, tile.key_of(j), query, added);
      tile.s[r][j] = static_cast<float>(dot * static_cast<double>(args.scale));
    }
  }
}

void recompute_large_additive_scores(const AttentionArgs& args, ScoreTile& tile, LogitStage stage) noexcept {
  const StoredRows stored = StoredRows::keys(args, tile.batch, tile.kv_head);
  for (std::size_t r = 0; r < tile.queries; ++r) {
    std::size_t columns[kKeyTile], count = 0;
    std::uint32_t keys[kKeyTile];
    for (std::uint64_t large = unknown_scores(tile, r, stage); large != 0; large &= large - 1) {
      const auto j = static_cast<std::size_t>(std::countr_zero(large));
      if (!args.kv_layout.holds(tile.key_of(j))) continue;
      columns[count] = j;
      keys[count++] = static_cast<std::uint32_t>(tile.key_of(j));
    }
    if (count == 0) continue;
    float scores[kKeyTile];
    additive_scores_with_keys(args.kv_layout, stored, {keys, count}, args.variant.additive_of(tile.head),
                              args.q.row(tile.batch, tile.head, tile.query_of(r)), scores);
    for (std::size_t n = 0; n < count; ++n) tile.s[r][columns[n]] = scores[n];
  }
}

}  // namespace fovea
