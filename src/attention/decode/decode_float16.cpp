#include "attention/decode/decode_float16.hpp"

#include <algorithm>
#include <cmath>

#include "attention/score/key_rows.hpp"
#include "attention/softmax/normalizer.hpp"
#include "attention/softmax/online_softmax.hpp"
#include "gemm/stream_products.hpp"
#include "gemm/stream_sums.hpp"
#include "ops/map.hpp"

namespace fovea {
namespace {

/// The streams, read as those of Stream.
template <class Stream>
Streams<Stream> read_as(const Streams<Float16Stream>& rows) noexcept {
  Streams<Stream> streams;
  for (std::size_t s = 0; s < kStreams; ++s) streams[s] = {rows[s]};
  return streams;
}

}  // namespace

Float16Query::Float16Query(const AttentionArgs& args, const DecodePartials& partials, const DecodeChunk& chunk,
                           const ChunkScratch& scratch) noexcept {
  const bool one = chunk.group.heads * (args.query_to - args.query_from) == 1;
  const bool has_dots = args.variant.score == Score::Dot && row_state(args) == RowState::Softmax;
  fits_ = args.kv_layout.float16 && one && has_dots;
  if (!fits_) return;
  const float* const query = partials.query(chunk.group_slot, chunk.row(args, chunk.group.first_head, args.query_from));
  // Scaled weights may be of any size.
  is_moved_ = args.kv_layout.converts_inline && !args.variant.weight_scale.is_given() &&
              std::all_of(query, query + args.width, [](float x) { return std::abs(x) < kLargest; });
  const float factor = is_moved_ ? kFactor : 1.0f;
  std::transform(query, query + args.width, scratch.query, [factor](float x) { return x * factor; });
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
  is_moved_ ? multiply_streams(products, read_as<ScaledFloat16Stream>(k_), args.k.token, args.width)
            : multiply_streams(products, read_as<AnyFloat16Stream>(k_), args.k.token, args.width);
  weigh(args, partials, chunk, query, tiles);
  StreamSum sum = {{}, partials.rows(chunk.slot, chunk.row(args, query.head, query.first)).o};
  for (std::size_t s = 0; s < tiles.size(); ++s) {
    if (is_moved_) map(tiles[s].s[0], kKeyTile, tiles[s].s[0], [](simd::f32 p) { return p * simd::splat(kFactor); });
    sum.weights[s] = {tiles[s].s[0], tiles[s].allowed[0]};
  }
  is_moved_ ? accumulate_streams(sum, read_as<ScaledFloat16Stream>(v_), args.v.token, args.value_width)
            : accumulate_streams(sum, read_as<AnyFloat16Stream>(v_), args.v.token, args.value_width);
}

}  // namespace fovea
