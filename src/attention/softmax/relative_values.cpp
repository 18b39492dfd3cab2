#include "attention/softmax/relative_values.hpp"

#include <algorithm>

#include "attention/score/clipped_distance.hpp"
#include "gemm/gathered_rows.hpp"
#include "gemm/panels.hpp"
#include "ops/map.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;

float sum_of(const float* x, std::size_t count) noexcept {
  f32 sums = splat(0.0f);
  std::size_t n = 0;
  for (; n + f32::size <= count; n += f32::size) sums = sums + load(x + n);
  float sum = simd::reduce_add(sums);
  for (; n < count; ++n) sum += x[n];
  return sum;
}

}  // namespace

std::size_t distance_floats(const AttentionArgs& args) noexcept {
  return round_up(args.variant.relative_values.distances(), kNr);
}

void sum_row_by_distance(const ScoreTile& tile, std::int64_t p, std::size_t clip, std::size_t end, const float* row,
                         float* by_distance) noexcept {
  if (tile.key_list != nullptr) {
    for (std::size_t j = tile.from; j < end; ++j) by_distance[clipped_distance(tile.key_list[j], p, clip)] += row[j];
    return;
  }
  const UnclippedColumns own(tile, p, clip);
  const std::size_t from = std::clamp(own.from, tile.from, end), to = std::clamp(own.to, from, end);
  by_distance[0] += sum_of(row + tile.from, from - tile.from);
  if (from < to) {
    float* const here = by_distance + own.first + (from - own.from);
    map(here, row + from, to - from, here, [](f32 sum, f32 weight) { return sum + weight; });
  }
  by_distance[2 * clip] += sum_of(row + to, end - to);
}

void sum_by_distance(const AttentionArgs& args, const ScoreTile& tile, ValueSums sums, std::size_t value_floats) noexcept {
  const std::size_t positioned = positioned_columns(args.position_rules(tile.batch), tile);
  const std::size_t clip = args.variant.relative_values.clip, end = std::min(tile.to, positioned);
  for (std::size_t r = 0; r < tile.queries; ++r) {
    sum_row_by_distance(tile, position_of(args, tile, r), clip, end, tile.s[r], sums.o + r * sums.stride + value_floats);
  }
}

void add_relative_values(const AttentionArgs& args, std::size_t head, float* o, std::size_t value_floats) noexcept {
  const RelativeTable& table = args.variant.relative_values;
  const auto width = static_cast<std::ptrdiff_t>(args.value_width);
  for (std::size_t first = 0; first < table.distances(); first += 64) {
    const std::size_t count = std::min<std::size_t>(64, table.distances() - first);
    const float* const sums = o + value_floats + first;
    std::uint64_t chosen = 0;
    for (std::size_t n = 0; n < count; ++n) chosen |= static_cast<std::uint64_t>(sums[n] != 0.0f) << n;
    gathered_axpy(sums, chosen, {table.of(head) + static_cast<std::ptrdiff_t>(first) * width, width}, count, args.value_width,
                  o);
  }
}

void add_relative_value(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query, std::size_t key,
                        float weight, float* o) noexcept {
  const RelativeTable& table = args.variant.relative_values;
  const PositionRules rules = args.position_rules(batch);
  if (key >= rules.keys) return;
  const std::size_t distance = clipped_distance(key, rules.position(query), table.clip);
  gathered_axpy(&weight, 1, {table.of(head) + distance * args.value_width, 0}, 1, args.value_width, o);
}

void add_gathered_relative_values(const AttentionArgs& args, const ScoreTile& tile, float* o) noexcept {
  const GatheredTableRows values(args, tile, args.variant.relative_values, args.value_width);
  const std::size_t count = positioned_columns(args.position_rules(tile.batch), tile);
  gathered_axpy(tile.s[0], tile.allowed[0], values.rows, count, args.value_width, o);
}

}  // namespace fovea
