#include "attention/decode/decode_float16.hpp"

#include <algorithm>
#include <cmath>

#include "attention/score/key_rows.hpp"
#include "attention/softmax/online_softmax.hpp"
#include "gemm/stream_products.hpp"
#include "gemm/stream_sums.hpp"
#include "ops/map.hpp"

namespace fovea {

Float16Query::Float16Query(const AttentionArgs& args, const DecodePartials& partials, const DecodeChunk& chunk,
                           const ChunkScratch& scratch) noexcept {
  const bool one = chunk.group.heads * (args.query_to - args.query_from) == 1;
  const bool has_dots = args.variant.score == Score::Dot && args.variant.normalizer.kind == NormalizerKind::Softmax;
  if (!args.kv_layout.regular || !one || !has_dots) return;
  if (args.variant.weight_scale.is_given()) return;  // weights of any size
  const float* const query = partials.query(chunk.group_slot, chunk.row(args, chunk.group.first_head, args.query_from));
  fits_ = std::all_of(query, query + args.width, [](float x) { return std::abs(x) < kLargest; });
  std::transform(query, query + args.width, scratch.query, [](float x) { return x * kFactor; });
}

bool Float16Query::takes(const AttentionArgs& args, const DecodeChunk& chunk, const TileKeys& keys) noexcept {
  k_ = v_ = {};
  for (std::size_t s = 0; fits_ && s < keys.count; ++s) {
    const TokenList tokens = {keys.first[s], keys.keys_of(args, s)};
    const auto run = [&](const StoredRows& rows) {
      return Float16Stream{float16_run(args.kv_layout, rows, tokens), tokens.count};
    };
    k_[s] = run(StoredRows::keys(args, chunk.group.batch, chunk.group.kv_head));
    v_[s] = run(StoredRows::values(args, chunk.group.batch, chunk.group.kv_head));
    if (k_[s].rows == nullptr) return false;
  }
  return fits_;
}

void Float16Query::attend(const AttentionArgs& args, const DecodePartials& partials, const DecodeChunk& chunk,
                          const TileKeys& keys, const ChunkScratch& scratch) const noexcept {
  const HeadQueries query = {chunk.group.first_head, args.query_from, 1};
  const std::span<ScoreTile> tiles = tiles_of(scratch, 0, keys);
  start_tiles(args, {chunk.group.batch, query.head, chunk.group.kv_head}, query, keys, tiles, nullptr);
  StreamProducts products = {scratch.query, {}};
  for (std::size_t s = 0; s < tiles.size(); ++s) products.out[s] = tiles[s].s[0];
  multiply_streams(products, k_, args.k.token, args.width);
  weigh(args, partials, chunk, query, tiles);
  StreamSum sum = {{}, partials.rows(chunk.slot, chunk.row(args, query.head, query.first)).o};
  for (std::size_t s = 0; s < tiles.size(); ++s) {
    map(tiles[s].s[0], kKeyTile, tiles[s].s[0], [](simd::f32 p) { return p * simd::splat(kFactor); });
    sum.weights[s] = {tiles[s].s[0], tiles[s].allowed[0]};
  }
  accumulate_streams(sum, v_, args.v.token, args.value_width);
}

}  // namespace fovea
