#include "attention/decode/decode_chunk.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "attention/decode/decode_float16.hpp"
#include "attention/score/key_rows.hpp"
#include "attention/score/score_products.hpp"
#include "attention/score/tile_masks.hpp"
#include "core/bits.hpp"
#include "gemm/stream_sums.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

/// Queries that are multiplied with one load of each row.
struct SharedQueries {
  std::array<HeadQueries, kSharedQueries> parts;  // not initialized beyond `count`
  std::size_t count = 0;
  std::size_t queries = 0;  // in all of them

  [[nodiscard]] bool has_room(std::size_t more) const noexcept { return queries == 0 || queries + more <= kSharedQueries; }
  void add(const HeadQueries& part) noexcept {
    parts[count++] = part;
    queries += part.count;
  }
};

/// The rows of keys and values.
struct TileRows {
  RowStreams k, v;
};

/// The rows of k or v of the tiles; `scratch` has room for all of them, where they are gathered.
RowStreams streams_of(const AttentionArgs& args, const StoredRows& rows, const TileKeys& keys, float* scratch) noexcept {
  RowStreams streams;
  for (std::size_t s = 0; s < keys.count; ++s) {
    const std::size_t count = keys.keys_of(args, s);
    streams[s] = {key_rows(args.kv_layout, rows, {keys.first[s], count}, scratch).at(0), count};
    if (!args.kv_layout.is_dense_f32()) scratch += kKeyTile * rows.width;
  }
  return streams;
}

/// tiles <- the products of the queries and keys
void multiply(const AttentionArgs& args, const DecodePartials& partials, const DecodeChunk& chunk, const SharedQueries& shared,
              const TileKeys& keys, const RowStreams& rows, const ChunkScratch& scratch) noexcept {
  std::array<StreamProducts, kSharedQueries> products;
  std::size_t n = 0;
  for (std::size_t p = 0; p < shared.count; ++p) {
    const auto& [head, first, count] = shared.parts[p];
    const std::span<ScoreTile> tiles = tiles_of(scratch, p, keys);
    const std::size_t row = chunk.row(args, head, first), before = n;
    for (std::size_t r = 0; r < count; ++r, ++n) {
      products[n].x = partials.query(chunk.group_slot, row + r);
      for (std::size_t s = 0; s < tiles.size(); ++s) products[n].out[s] = tiles[s].s[r];
    }
    // Heads differ in more than their queries.
    if (args.variant.score == Score::Additive) multiply_queries(args, head, {&products[before], count}, rows);
  }
  if (args.variant.score != Score::Additive) multiply_queries(args, 0, {products.data(), n}, rows);
}

/// Whether the values hold no NaN and no infinity, so that a weight of 0 is safe.
bool are_finite(const RowStreams& values, std::ptrdiff_t stride, std::size_t width) noexcept {
  using simd::f32;
  f32 zeros = simd::splat(0.0f);  // stays 0 unless something times 0 is NaN
  float last = 0.0f;
  for (const RowStream& stream : values) {
    for (std::size_t j = 0; j < stream.count; ++j) {
      const float* const row = row_of(stream, j, stride);
      std::size_t c = 0;
      for (; c + f32::size <= width; c += f32::size) zeros = simd::madd(simd::load(row + c), simd::splat(0.0f), zeros);
      for (; c < width; ++c) last += row[c] * 0.0f;
    }
  }
  return simd::reduce_add(zeros) + last == 0.0f;
}

/// The sums of the queries <- these and the weighted values. Where all values are finite, a weight of 0 changes no bit, and all
/// queries are multiplied with one load of each row. Elsewhere each query reads its allowed values alone: forbidden ones may be NaN.
void sum_values(const AttentionArgs& args, const DecodePartials& partials, const DecodeChunk& chunk,
                const SharedQueries& shared, const TileKeys& keys, const RowStreams& values,
                const ChunkScratch& scratch) noexcept {
  std::array<StreamSum, kSharedQueries> sums;
  std::size_t n = 0;
  bool masked = false;
  for (std::size_t p = 0; p < shared.count; ++p) {
    const auto& [head, first, count] = shared.parts[p];
    const std::span<ScoreTile> tiles = tiles_of(scratch, p, keys);
    const SoftmaxRows rows = partials.rows(chunk.slot, chunk.row(args, head, first));
    for (std::size_t r = 0; r < count; ++r, ++n) {
      sums[n].o = rows.o + r * rows.stride;
      for (std::size_t s = 0; s < tiles.size(); ++s) {
        sums[n].weights[s] = {tiles[s].s[r], tiles[s].allowed[r]};
        masked = masked || tiles[s].allowed[r] != bit_range(0, tiles[s].keys);
      }
    }
  }
  if (masked && n > 1 && are_finite(values, args.v.token, args.value_width)) {
    for (StreamSum& sum : std::span(sums.data(), n)) {
      for (std::size_t s = 0; s < keys.count; ++s) sum.weights[s].chosen = bit_range(0, values[s].count);
    }
  }
  accumulate_streams({sums.data(), n}, values, args.v.token, args.value_width);
}

/// The running sums of some queries over one tile of each stream.
void attend_tiles(const AttentionArgs& args, const DecodePartials& partials, const DecodeChunk& chunk,
                  const SharedQueries& shared, const TileKeys& keys, const TileRows& from, const ChunkScratch& scratch,
                  ChunkPass pass) noexcept {
  for (std::size_t p = 0; p < shared.count; ++p) {
    const HeadQueries& part = shared.parts[p];
    // Only mask arrays differ between heads.
    const bool is_alike =
        p > 0 && !args.has_mask() && part.first == shared.parts[0].first && part.count == shared.parts[0].count;
    start_tiles(args, {chunk.group.batch, part.head, chunk.group.kv_head}, part, keys, tiles_of(scratch, p, keys),
                is_alike ? scratch.tiles : nullptr);
  }
  if (pass != ChunkPass::Values) multiply(args, partials, chunk, shared, keys, from.k, scratch);
  const auto step = pass == ChunkPass::Whole ? weigh : pass == ChunkPass::Scores ? store_row_scores : take_weights;
  for (std::size_t p = 0; p < shared.count; ++p) step(args, partials, chunk, shared.parts[p], tiles_of(scratch, p, keys));
  if (pass != ChunkPass::Scores && !chooses_key(args)) sum_values(args, partials, chunk, shared, keys, from.v, scratch);
}

/// Calls visit(shared) for all queries of a group, kSharedQueries or fewer at a time.
template <class Visit>
void for_each_shared(const AttentionArgs& args, const DecodeGroup& group, Visit visit) noexcept {
  SharedQueries shared;
  for (std::size_t h = 0; h < group.heads; ++h) {
    for (std::size_t i = args.query_from; i < args.query_to; i += kMr) {
      const HeadQueries part = {group.first_head + h, i, std::min(kMr, args.query_to - i)};
      if (!shared.has_room(part.count)) {
        visit(shared);
        shared.count = shared.queries = 0;
      }
      shared.add(part);
    }
  }
  visit(shared);
}

}  // namespace

void attend_chunk(const AttentionArgs& args, const DecodePartials& partials, const DecodeChunk& chunk,
                  const ChunkScratch& scratch, ChunkPass pass) noexcept {
  const auto& [batch, kv_head, first_head, heads] = chunk.group;
  const std::size_t first = args.query_from, last = args.query_to;
  for (std::size_t h = first_head; h < first_head + heads; ++h) {
    const std::size_t row = chunk.row(args, h, first);
    init(partials.rows(chunk.slot, row), last - first);
    if (chooses_key(args)) std::fill_n(partials.argmax_rows(chunk.slot, row), last - first, ArgmaxState{});
  }
  Float16Query float16(args, partials, chunk, scratch);
  const KeyRange range = args.position_rules(batch).keys_of(first, last - first);
  for (std::size_t t = 0; t < kStreamKeys && chunk.from + t < args.keys; t += kKeyTile) {
    TileKeys keys;
    for (std::size_t s = 0; s < kStreams; ++s) {
      const std::size_t key = chunk.from + s * kStreamKeys + t;
      const bool needed = key < args.keys && may_attend(args, range, {key, std::min(key + kKeyTile, args.keys)}) &&
                          !all_evicted(args, batch, first, key, kKeyTile);
      if (needed) keys.first[keys.count++] = key;
    }
    if (keys.count == 0) continue;
    if (float16.takes(args, chunk, keys)) {
      float16.attend(args, partials, chunk, keys, scratch);
      continue;
    }
    TileRows from;
    if (pass != ChunkPass::Values) from.k = streams_of(args, StoredRows::keys(args, batch, kv_head), keys, scratch.k);
    if (pass != ChunkPass::Scores) from.v = streams_of(args, StoredRows::values(args, batch, kv_head), keys, scratch.v);
    for_each_shared(args, chunk.group, [&](const SharedQueries& shared) {
      attend_tiles(args, partials, chunk, shared, keys, from, scratch, pass);
    });
  }
}

}  // namespace fovea
