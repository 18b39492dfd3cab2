#include "attention/relative_positions.hpp"

#include <algorithm>

#include "ops/listed_rows.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

std::int64_t position_of(const AttentionArgs& args, const ScoreTile& tile, std::size_t r) noexcept {
  return args.place(tile.batch).position(tile.query_of(r));
}

/// Columns [from, to) of a tile of consecutive keys are at distances of their own, from `first` on; those before are all at the
/// lowest, those behind at the highest.
struct Unclipped {
  std::size_t from, to, first;

  Unclipped(const ScoreTile& tile, std::int64_t p, std::size_t clip) noexcept {
    const auto last = static_cast<std::int64_t>(2 * clip), columns = static_cast<std::int64_t>(kKeyTile);
    const std::int64_t start = static_cast<std::int64_t>(tile.key) - p + static_cast<std::int64_t>(clip);
    const std::int64_t begin = std::clamp<std::int64_t>(-start, 0, columns);
    from = static_cast<std::size_t>(begin);
    to = static_cast<std::size_t>(std::clamp(last + 1 - start, begin, columns));
    first = static_cast<std::size_t>(std::clamp<std::int64_t>(start + begin, 0, last));
  }
};

/// found[j] <- numbers[c]
void look_up(const ScoreTile& tile, const float* numbers, std::int64_t p, std::size_t clip, float* found) noexcept {
  if (tile.key_list != nullptr) {
    for (std::size_t j = 0; j < tile.keys; ++j) found[j] = numbers[clipped_distance(tile.key_list[j], p, clip)];
    return;
  }
  const Unclipped own(tile, p, clip);
  std::fill_n(found, own.from, numbers[0]);
  std::copy_n(numbers + own.first, own.to - own.from, found + own.from);
  std::fill_n(found + own.to, kKeyTile - own.to, numbers[2 * clip]);
}

float sum_of(const float* x, std::size_t count) noexcept {
  f32 sums = splat(0.0f);
  std::size_t n = 0;
  for (; n + f32::size <= count; n += f32::size) sums = sums + load(x + n);
  float sum = simd::reduce_add(sums);
  for (; n < count; ++n) sum += x[n];
  return sum;
}

/// y[n] <- y[n] + x[n]
void add_to(float* y, const float* x, std::size_t count) noexcept {
  std::size_t n = 0;
  for (; n + f32::size <= count; n += f32::size) store(y + n, load(y + n) + load(x + n));
  for (; n < count; ++n) y[n] += x[n];
}

/// The rows of a table that the keys of a tile of one row take.
struct ListedRows {
  std::uint32_t list[kKeyTile];
  SourceRows rows;

  ListedRows(const AttentionArgs& args, const ScoreTile& tile, const RelativeTable& table, std::size_t width) noexcept
      : rows{table.of(tile.head), static_cast<std::ptrdiff_t>(width), list} {
    const std::int64_t p = position_of(args, tile, 0);
    for (std::size_t j = 0; j < tile.keys; ++j) {
      list[j] = static_cast<std::uint32_t>(clipped_distance(tile.key_of(j), p, table.clip));
    }
  }
};

}  // namespace

void add_by_distance(const AttentionArgs& args, ScoreTile& tile, const float* numbers, std::size_t stride,
                     std::size_t clip) noexcept {
  for (std::size_t r = 0; r < tile.queries; ++r) {
    alignas(16) float found[kKeyTile] = {};
    look_up(tile, numbers + r * stride, position_of(args, tile, r), clip, found);
    over_columns(tile, [&](std::size_t j) { store(tile.s[r] + j, load(tile.s[r] + j) + load(found + j)); });
  }
}

std::size_t RelativeProducts::workspace_floats(const AttentionArgs& args, std::size_t rows) noexcept {
  const std::size_t stride = round_up(args.axes.relative_keys.distances(), kPanelColumns);
  return workspace_round(stride * args.width) + workspace_round(rows * stride);
}

RelativeProducts RelativeProducts::take(const AttentionArgs& args, std::size_t rows, Workspace& workspace) noexcept {
  RelativeProducts products;
  products.stride_ = round_up(args.axes.relative_keys.distances(), kPanelColumns);
  if (products.stride_ == 0) return products;
  products.table_ = workspace.take(products.stride_ * args.width);
  products.products_ = workspace.take(rows * products.stride_);
  return products;
}

void RelativeProducts::multiply(const AttentionArgs& args, std::size_t head, const float* q,
                                std::size_t strips) const noexcept {
  if (products_ == nullptr) return;
  const RelativeTable& table = args.axes.relative_keys;
  pack_columns_of_transpose({table.of(head), static_cast<std::ptrdiff_t>(args.width)}, table.distances(), args.width, table_);
  for (std::size_t strip = 0; strip < strips; ++strip) {
    const std::size_t row = strip * kPanelRows;
    multiply_panels(q + row * args.width, table_, args.width, stride_ / kPanelColumns, products_ + row * stride_, stride_);
  }
}

std::size_t distance_floats(const AttentionArgs& args) noexcept {
  return round_up(args.axes.relative_values.distances(), kPanelColumns);
}

void sum_by_distance(const AttentionArgs& args, const ScoreTile& tile, RunningRows rows, std::size_t value_floats) noexcept {
  const std::size_t clip = args.axes.relative_values.clip, end = std::min(tile.to, tile.keys);
  for (std::size_t r = 0; r < tile.queries; ++r) {
    const std::int64_t p = position_of(args, tile, r);
    const float* const s = tile.s[r];
    float* const sums = rows.o + r * rows.stride + value_floats;
    if (tile.key_list != nullptr) {
      for (std::size_t j = tile.from; j < end; ++j) sums[clipped_distance(tile.key_list[j], p, clip)] += s[j];
      continue;
    }
    const Unclipped own(tile, p, clip);
    const std::size_t from = std::clamp(own.from, tile.from, end), to = std::clamp(own.to, from, end);
    sums[0] += sum_of(s + tile.from, from - tile.from);
    if (from < to) add_to(sums + own.first + (from - own.from), s + from, to - from);
    sums[2 * clip] += sum_of(s + to, end - to);
  }
}

void add_relative_values(const AttentionArgs& args, std::size_t head, float* o, std::size_t value_floats) noexcept {
  const RelativeTable& table = args.axes.relative_values;
  const auto width = static_cast<std::ptrdiff_t>(args.value_width);
  for (std::size_t first = 0; first < table.distances(); first += 64) {
    const std::size_t count = std::min<std::size_t>(64, table.distances() - first);
    const float* const sums = o + value_floats + first;
    std::uint64_t chosen = 0;
    for (std::size_t n = 0; n < count; ++n) chosen |= static_cast<std::uint64_t>(sums[n] != 0.0f) << n;
    accumulate_listed(sums, chosen, {table.of(head) + static_cast<std::ptrdiff_t>(first) * width, width}, count,
                      args.value_width, o);
  }
}

void add_relative_value(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query, std::size_t key,
                        float weight, float* o) noexcept {
  const RelativeTable& table = args.axes.relative_values;
  const std::size_t distance = clipped_distance(key, args.place(batch).position(query), table.clip);
  accumulate_listed(&weight, 1, {table.of(head) + distance * args.value_width, 0}, 1, args.value_width, o);
}

void add_listed_relative_keys(const AttentionArgs& args, ScoreTile& tile, const float* query) noexcept {
  const ListedRows keys(args, tile, args.axes.relative_keys, args.width);
  alignas(16) float products[kKeyTile];
  multiply_listed(query, keys.rows, tile.keys, args.width, products);
  add_to(tile.s[0], products, tile.keys);
}

void accumulate_listed_relative_values(const AttentionArgs& args, const ScoreTile& tile, float* o) noexcept {
  const ListedRows values(args, tile, args.axes.relative_values, args.value_width);
  accumulate_listed(tile.s[0], tile.allowed[0], values.rows, tile.keys, args.value_width, o);
}

}  // namespace fovea
