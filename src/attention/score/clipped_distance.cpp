#include "attention/score/clipped_distance.hpp"

#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::load;
using simd::store;

/// found[j] <- table[c]
void look_up(const ScoreTile& tile, const float* table, std::int64_t p, std::size_t clip, float* found) noexcept {
  if (tile.key_list != nullptr) {
    for (std::size_t j = 0; j < tile.keys; ++j) found[j] = table[clipped_distance(tile.key_list[j], p, clip)];
    return;
  }
  const UnclippedColumns own(tile, p, clip);
  std::fill_n(found, own.from, table[0]);
  std::copy_n(table + own.first, own.to - own.from, found + own.from);
  std::fill_n(found + own.to, kKeyTile - own.to, table[2 * clip]);
}

}  // namespace

UnclippedColumns::UnclippedColumns(const ScoreTile& tile, std::int64_t p, std::size_t clip) noexcept {
  const auto last = static_cast<std::int64_t>(2 * clip), columns = static_cast<std::int64_t>(kKeyTile);
  const std::int64_t start = static_cast<std::int64_t>(tile.key) - p + static_cast<std::int64_t>(clip);
  const std::int64_t begin = std::clamp<std::int64_t>(-start, 0, columns);
  from = static_cast<std::size_t>(begin);
  to = static_cast<std::size_t>(std::clamp(last + 1 - start, begin, columns));
  first = static_cast<std::size_t>(std::clamp<std::int64_t>(start + begin, 0, last));
}

GatheredTableRows::GatheredTableRows(const AttentionArgs& args, const ScoreTile& tile, const RelativeTable& table,
                                     std::size_t width) noexcept
    : rows{table.of(tile.head), static_cast<std::ptrdiff_t>(width), list} {
  const std::int64_t p = position_of(args, tile, 0);
  for (std::size_t j = 0; j < tile.keys; ++j) {
    list[j] = static_cast<std::uint32_t>(clipped_distance(tile.key_of(j), p, table.clip));
  }
}

void add_by_distance(const AttentionArgs& args, ScoreTile& tile, const float* table, std::size_t stride,
                     std::size_t clip) noexcept {
  for (std::size_t r = 0; r < tile.queries; ++r) {
    alignas(16) float found[kKeyTile] = {};
    look_up(tile, table + r * stride, position_of(args, tile, r), clip, found);
    over_columns(tile, [&](std::size_t j) { store(tile.s[r] + j, load(tile.s[r] + j) + load(found + j)); });
  }
}

}  // namespace fovea
