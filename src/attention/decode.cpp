#include "attention/decode.hpp"

#include <algorithm>
#include <array>

#include "attention/kept_scores.hpp"
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
using simd::load;
using simd::splat;
using simd::store;

static_assert(kKeyTile == kStreamRows && kDecodeChunk % (kKeyTile * kStreams) == 0);

/// At least one, so that every row has sums, even without keys.
std::size_t chunks_of(const AttentionArgs& args) noexcept {
  return std::max<std::size_t>(1, (args.keys + kDecodeChunk - 1) / kDecodeChunk);
}

/// Floats of a value, in vectors.
std::size_t value_floats_of(const AttentionArgs& args) noexcept { return round_up(args.value_width, f32::size); }

/// The queries times their scale, and the sums of every row and chunk.
struct Partials {
  std::size_t queries, chunks, width, stride, distances;
  float* q;         // [rows][width]
  float* relative;  // [rows][distances], in vectors: q · rK (relative_positions.hpp)
  float* m;         // [rows / queries][chunks][queries]
  float* l;         // the same, four lanes each
  float* o;         // the same, `stride` each

  static Partials take(const AttentionArgs& args, Workspace& workspace) noexcept {
    Partials partials;
    partials.queries = args.queries;
    partials.chunks = chunks_of(args);
    partials.width = args.width;
    partials.stride = value_floats_of(args) + distance_floats(args);
    partials.distances = round_up(args.axes.relative_keys.distances(), f32::size);
    const std::size_t rows = args.batch * args.heads * args.queries;
    partials.q = workspace.take(rows * args.width);
    partials.relative = workspace.take(rows * partials.distances);
    partials.m = workspace.take(rows * partials.chunks);
    partials.l = workspace.take(rows * partials.chunks * f32::size);
    partials.o = workspace.take(rows * partials.chunks * partials.stride);
    return partials;
  }

  [[nodiscard]] float* query(std::size_t heads, std::size_t i) const noexcept { return q + (heads * queries + i) * width; }

  [[nodiscard]] float* products(std::size_t heads, std::size_t i) const noexcept {
    return relative + (heads * queries + i) * distances;
  }

  /// From query i on; `head` counts over the whole batch.
  [[nodiscard]] RunningRows rows(std::size_t head, std::size_t chunk, std::size_t i) const noexcept {
    const std::size_t row = (head * chunks + chunk) * queries + i;
    return {m + row, l + row * f32::size, o + row * stride, stride};
  }
};

/// Every row's query times the scale, its products with rK, and -inf for the scores that no tile will write.
void prepare_rows(const AttentionArgs& args, const Partials& partials) noexcept {
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

/// One chunk of the keys of one key/value head.
struct Chunk {
  std::size_t batch, kv_head, index;

  [[nodiscard]] std::size_t from() const noexcept { return index * kDecodeChunk; }
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

/// The rows of k or v that the tiles are about.
RowStreams streams_of(const HeadsView<const float>& rows, const std::array<ScoreTile, kStreams>& tiles) noexcept {
  RowStreams streams;
  for (std::size_t s = 0; s < kStreams; ++s) {
    const ScoreTile& tile = tiles[s];
    if (tile.keys > 0) streams[s] = {rows.row(tile.batch, tile.kv_head, tile.key), tile.keys};
  }
  return streams;
}

/// The running sums of up to kPanelRows queries of a head over one tile of each stream.
void attend_tiles(const AttentionArgs& args, const Partials& partials, const Chunk& chunk, std::size_t head, std::size_t query,
                  const TileKeys& keys) noexcept {
  std::array<ScoreTile, kStreams> tiles;
  for (std::size_t s = 0; s < kStreams; ++s) tiles[s] = place_tile(args, chunk, head, query, keys[s]);
  const std::size_t head_of_all = chunk.batch * args.heads + head, count = tiles[0].rows;

  const RowStreams k = streams_of(args.k, tiles);
  for (std::size_t r = 0; r < count; ++r) {
    std::array<float*, kStreams> scores;
    for (std::size_t s = 0; s < kStreams; ++s) scores[s] = tiles[s].keys > 0 ? tiles[s].s[r] : nullptr;
    multiply_streams(args, head, partials.query(head_of_all, query + r), k, scores);
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

  const RowStreams v = streams_of(args.v, tiles);
  for (std::size_t r = 0; r < count; ++r) {
    // Forbidden values are not even read: what they hold cannot matter.
    std::array<RowWeights, kStreams> weights;
    for (std::size_t s = 0; s < kStreams; ++s) {
      if (tiles[s].keys > 0) weights[s] = {tiles[s].s[r], tiles[s].allowed[r]};
    }
    accumulate_rows_of(v, weights, args.v.token, args.value_width, rows.o + r * rows.stride);
  }
}

void attend_chunk(const AttentionArgs& args, const Partials& partials, const Chunk& chunk) noexcept {
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
      const std::size_t key = chunk.from() + s * kStreamKeys + t;
      const bool needed = key < range.to && key + kKeyTile > range.from;
      keys[s] = needed ? key : kNoKeys;
      any = any || needed;
    }
    for (std::size_t h = first_head; any && h < first_head + group; ++h) {
      for (std::size_t i = first; i < last; i += kPanelRows) attend_tiles(args, partials, chunk, h, i, keys);
    }
  }
}

/// Chunk 0's sums <- the sums of all chunks, in their order.
void merge_chunks(const Partials& partials, std::size_t head, std::size_t i) noexcept {
  const RunningRows total = partials.rows(head, 0, i);
  float& m = *total.m;
  for (std::size_t chunk = 1; chunk < partials.chunks; ++chunk) {
    const RunningRows part = partials.rows(head, chunk, i);
    // The sum tells whether there was an allowed key: a NaN may hide from m, never from it.
    if (simd::reduce_add(load(part.l)) == 0.0f) continue;
    const float highest = *part.m > m ? *part.m : m;
    const f32 ours = simd::exp(splat(m - highest)), theirs = simd::exp(splat(*part.m - highest));
    store(total.l, load(total.l) * ours + load(part.l) * theirs);
    for (std::size_t c = 0; c < partials.stride; c += f32::size) {
      store(total.o + c, load(total.o + c) * ours + load(part.o + c) * theirs);
    }
    m = highest;
  }
}

}  // namespace

std::size_t decode_workspace_floats(const AttentionArgs& args) noexcept {
  const std::size_t rows = args.batch * args.heads * args.queries, partials = rows * chunks_of(args);
  return workspace_round(rows * args.width) + workspace_round(rows * round_up(args.axes.relative_keys.distances(), f32::size)) +
         workspace_round(partials) + workspace_round(partials * f32::size) +
         workspace_round(partials * (value_floats_of(args) + distance_floats(args)));
}

void decode(const AttentionArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  const Partials partials = Partials::take(args, workspace);
  prepare_rows(args, partials);
  run_on(pool, args.batch * args.kv_heads * partials.chunks, [&](std::size_t index, std::size_t) {
    const std::size_t kv_head = index / partials.chunks;
    attend_chunk(args, partials, {kv_head / args.kv_heads, kv_head % args.kv_heads, index % partials.chunks});
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
