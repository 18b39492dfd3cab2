#include "attention/softmax/weight_scale.hpp"

#include <algorithm>

#include "attention/softmax/row_results.hpp"
#include "ops/map.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::splat;

/// The first of the keys to which the scale applies.
std::size_t scaled_keys(const AttentionArgs& args, const TokenList& keys) noexcept {
  std::size_t count = keys.count;
  if (args.appended_keys == 0 || args.variant.weight_scale.of_appended) return count;
  while (count > 0 && keys.at(count - 1) >= args.positioned_keys()) --count;
  return count;
}

/// The factors of at most kKeyTile keys: the array's own entries where they lie side by side, else in `room`.
const float* factors_of(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query,
                        const TokenList& keys, float* room) noexcept {
  const auto& [pairs, of_appended, center, sigma] = args.variant.weight_scale;
  if (pairs.data != nullptr) {
    const float* const row = pairs.row(batch, head, query);
    if (pairs.key == 1 && keys.list == nullptr) return row + keys.first;
    for (std::size_t n = 0; n < keys.count; ++n) room[n] = row[static_cast<std::ptrdiff_t>(keys.at(n)) * pairs.key];
    return room;
  }
  const f32 mean = splat(center.at(batch, head, query)), deviation = splat(sigma.at(batch, head, query));
  for (std::size_t n = 0; n < keys.count; ++n) room[n] = static_cast<float>(keys.at(n));
  map(room, keys.count, room, [=](f32 key) {
    const f32 away = (key - mean) / deviation;
    return simd::exp(splat(-0.5f) * away * away);
  });
  return room;
}

}  // namespace

void scale_weights(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query, const TokenList& keys,
                   float* weights) noexcept {
  if (!args.variant.weight_scale.is_given()) return;
  const std::size_t count = scaled_keys(args, keys);
  for (std::size_t n = 0; n < count; n += kKeyTile) {
    float room[kKeyTile];
    const TokenList here = keys.part(n, std::min(kKeyTile, count - n));
    const float* const factors = factors_of(args, batch, head, query, here, room);
    map(weights + n, factors, here.count, weights + n,
        [](f32 weight, f32 factor) { return simd::select(weight == splat(0.0f), weight, weight * factor); });
  }
}

void scale_weights(const AttentionArgs& args, ScoreTile& tile) noexcept {
  if (!args.variant.weight_scale.is_given()) return;
  const TokenList all = {tile.key, tile.keys, tile.key_list};
  const TokenList keys = all.part(tile.from, std::min(tile.to, tile.keys) - tile.from);
  for (std::size_t r = 0; r < tile.queries; ++r) {
    scale_weights(args, tile.batch, tile.head, tile.query_of(r), keys, tile.s[r] + tile.from);
  }
}

void scale_row_weights(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query) noexcept {
  if (float* const weights = weights_row(args, batch, head, query); weights != nullptr) {
    scale_weights(args, batch, head, query, {0, args.keys}, weights);
  }
  if (const auto& [indptr, indices, values] = args.sparse_weights; values != nullptr) {
    const std::int32_t* const range = indptr + args.row_index(batch, head, query);
    const auto* const keys = reinterpret_cast<const std::uint32_t*>(indices + range[0]);
    scale_weights(args, batch, head, query, {0, static_cast<std::size_t>(range[1] - range[0]), keys}, values + range[0]);
  }
}

}  // namespace fovea
