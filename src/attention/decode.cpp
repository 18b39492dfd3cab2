#include "attention/decode.hpp"

#include <algorithm>
#include <array>

#include "attention/decode_partials.hpp"
#include "attention/kept_scores.hpp"
#include "attention/key_rows.hpp"
#include "attention/online_softmax.hpp"
#include "attention/relative_positions.hpp"
#include "attention/row_results.hpp"
#include "attention/score_products.hpp"
#include "attention/score_tile.hpp"
#include "core/infinity.hpp"
#include "ops/listed_rows.hpp"
#include "ops/rows.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;

static_assert(kKeyTile == kStreamRows && kDecodeChunk % (kKeyTile * kStreams) == 0);

/// Every row's query times the scale, its products with rK, and -inf for the scores that no tile will write.
void prepare_rows(const AttentionArgs& args, const DecodePartials& partials) noexcept {
  for (std::size_t b = 0; b < args.batch; ++b) {
    for (std::size_t h = 0; h < args.heads; ++h) {
      for (std::size_t i = args.query_from; i < args.query_to; ++i) {
        float* const query = partials.query(b * args.heads + h, i);
        scale_query(args, args.q.row(b, h, i), query);
        if (const RelativeTable& keys = args.axes.relative_keys; keys.data != nullptr) {
          multiply_listed(query, {keys.of(h), static_cast<std::ptrdiff_t>(args.width)}, keys.distances(), args.width,
                          partials.products(b * args.heads + h, i));
        }
        if (args.weights != nullptr) std::fill_n(weights_row(args, b, h, i), args.keys, kMinusInfinity);
      }
    }
  }
}

/// One chunk of the keys of one key/value head. Its sums are those of `index`.
struct Chunk {
  std::size_t batch, kv_head, index, from;
};

/// The next tile of each stream: the keys of a chunk are read in as many streams, one quarter each.
using TileKeys = std::array<std::size_t, kStreams>;
constexpr std::size_t kStreamKeys = kDecodeChunk / kStreams;
constexpr std::size_t kNoKeys = ~std::size_t{0};

ScoreTile place_tile(const AttentionArgs& args, const Chunk& chunk, std::size_t head, std::size_t query,
                     std::size_t key) noexcept {
  ScoreTile tile;
  tile.batch = chunk.batch;
  tile.head = head;
  tile.kv_head = chunk.kv_head;
  tile.query = query;
  tile.queries = tile.rows = std::min(kPanelRows, args.query_to - query);
  tile.key = key;
  tile.keys = key == kNoKeys ? 0 : std::min(kKeyTile, args.keys - key);
  if (tile.keys == kKeyTile && allows_all(args, tile.batch, tile.query, tile.queries, key)) {
    mark_all_allowed(tile);
  } else if (tile.keys > 0) {
    mark_allowed(args, tile);
  }
  return tile;
}

/// The rows of k or v of the tiles; `scratch` has room for all of them, where they are gathered.
RowStreams streams_of(const AttentionArgs& args, const StoredRows& rows, const TileKeys& keys, float* scratch) noexcept {
  RowStreams streams;
  for (std::size_t s = 0; s < kStreams; ++s) {
    if (keys[s] == kNoKeys) continue;
    const std::size_t count = std::min(kKeyTile, args.keys - keys[s]);
    streams[s] = {key_rows(args.store, rows, {keys[s], count}, scratch).at(0), count};
    if (!args.store.is_plain()) scratch += kKeyTile * rows.width;
  }
  return streams;
}

std::size_t stream_floats(const AttentionArgs& args, std::size_t width) noexcept {
  return args.store.is_plain() ? 0 : kStreams * kKeyTile * width;
}

/// What the heads of a group read alike.
struct TileRows {
  RowStreams k, v;
};

/// The running sums of up to kPanelRows queries of a head over one tile of each stream.
void attend_tiles(const AttentionArgs& args, const DecodePartials& partials, const Chunk& chunk, std::size_t head,
                  std::size_t query, const TileKeys& keys, const TileRows& from) noexcept {
  std::array<ScoreTile, kStreams> tiles;
  for (std::size_t s = 0; s < kStreams; ++s) tiles[s] = place_tile(args, chunk, head, query, keys[s]);
  const std::size_t head_of_all = chunk.batch * args.heads + head, count = tiles[0].rows;

  for (std::size_t r = 0; r < count; ++r) {
    std::array<float*, kStreams> scores;
    for (std::size_t s = 0; s < kStreams; ++s) scores[s] = tiles[s].keys > 0 ? tiles[s].s[r] : nullptr;
    multiply_streams(args, head, partials.query(head_of_all, query + r), from.k, scores);
  }

  const RunningRows rows = partials.rows(head_of_all, chunk.index, query);
  for (ScoreTile& tile : tiles) {
    if (tile.keys == 0) continue;
    if (args.axes.relative_keys.data != nullptr) {
      tile.relative = partials.products(head_of_all, query);
      tile.relative_stride = partials.distances;
    }
    finish_scores(args, tile, LogitStage::Biased);
    keep_for_weights(args, tile);
    raise(tile, rows);
  }
  for (ScoreTile& tile : tiles) {
    if (tile.keys == 0) continue;
    exponentiate(tile, rows);
    if (args.axes.relative_values.data != nullptr) sum_by_distance(args, tile, rows, value_floats_of(args));
  }

  for (std::size_t r = 0; r < count; ++r) {
    // Forbidden values are not even read: what they hold cannot matter.
    std::array<RowWeights, kStreams> weights;
    for (std::size_t s = 0; s < kStreams; ++s) {
      if (tiles[s].keys > 0) weights[s] = {tiles[s].s[r], tiles[s].allowed[r]};
    }
    accumulate_rows_of(from.v, weights, args.v.token, args.value_width, rows.o + r * rows.stride);
  }
}

void attend_chunk(const AttentionArgs& args, const DecodePartials& partials, const Chunk& chunk, float* scratch) noexcept {
  const std::size_t group = args.heads / args.kv_heads, first_head = chunk.kv_head * group;
  const std::size_t first = args.query_from, last = args.query_to;
  for (std::size_t h = first_head; h < first_head + group; ++h) {
    start(partials.rows(chunk.batch * args.heads + h, chunk.index, first), last - first);
  }
  const KeyRange range = allowed_keys(args, chunk.batch, first, last - first);
  for (std::size_t t = 0; t < kStreamKeys; t += kKeyTile) {
    TileKeys keys;
    bool any = false;
    for (std::size_t s = 0; s < kStreams; ++s) {
      const std::size_t key = chunk.from + s * kStreamKeys + t;
      const bool needed =
          key < range.to && key + kKeyTile > range.from && !all_evicted(args, chunk.batch, first, key, kKeyTile);
      keys[s] = needed ? key : kNoKeys;
      any = any || needed;
    }
    if (!any) continue;
    const TileRows from = {streams_of(args, StoredRows::keys(args, chunk.batch, chunk.kv_head), keys, scratch),
                           streams_of(args, StoredRows::values(args, chunk.batch, chunk.kv_head), keys,
                                      scratch + stream_floats(args, args.width))};
    for (std::size_t h = first_head; h < first_head + group; ++h) {
      for (std::size_t i = first; i < last; i += kPanelRows) attend_tiles(args, partials, chunk, h, i, keys, from);
    }
  }
}

}  // namespace

std::size_t decode_workspace_floats(const AttentionArgs& args, std::size_t threads) noexcept {
  return DecodePartials::workspace_floats(args) + workspace_round(threads * stream_floats(args, args.width + args.value_width));
}

void decode(const AttentionArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  const DecodePartials partials = DecodePartials::take(args, workspace);
  const DecodeChunks chunks(args);
  const std::size_t gathered = stream_floats(args, args.width + args.value_width);
  float* const scratch = workspace.take(threads_of(pool) * gathered);
  prepare_rows(args, partials);
  run_on(pool, args.batch * args.kv_heads * partials.chunks, [&](std::size_t index, std::size_t thread) {
    const std::size_t kv_head = index / partials.chunks, which = index % partials.chunks;
    const Chunk chunk = {kv_head / args.kv_heads, kv_head % args.kv_heads, which, chunks.at(which) * kDecodeChunk};
    attend_chunk(args, partials, chunk, scratch + thread * gathered);
  });
  for (std::size_t head = 0; head < args.batch * args.heads; ++head) {
    for (std::size_t i = args.query_from; i < args.query_to; ++i) {
      merge_chunks(partials, head, i);
      const RunningRows row = partials.rows(head, 0, i);
      add_relative_values(args, head % args.heads, row.o, value_floats_of(args));
      write_row(args, head / args.heads, head % args.heads, i, *row.m, row.l, row.o);
    }
  }
}

}  // namespace fovea
