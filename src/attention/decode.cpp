#include "attention/decode.hpp"

#include <algorithm>
#include <array>

#include "attention/kept_scores.hpp"
#include "attention/key_rows.hpp"
#include "attention/online_softmax.hpp"
#include "attention/row_results.hpp"
#include "attention/score_tile.hpp"
#include "core/infinity.hpp"
#include "ops/rows.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

static_assert(kKeyTile == kStreamRows && kDecodeChunk % (kKeyTile * kStreams) == 0);

/// The chunks of keys, but those whose keys are all gone.
struct Chunks {
  std::size_t leading;  // with keys that come before those that are gone
  std::size_t next;     // the first after them
  std::size_t count;

  explicit Chunks(const AttentionArgs& args) noexcept {
    const std::size_t all = (args.keys + kDecodeChunk - 1) / kDecodeChunk;
    const bool has_gap = args.store.shift > 0;
    leading = has_gap ? (args.store.keep_first + kDecodeChunk - 1) / kDecodeChunk : all;
    next = std::clamp(has_gap ? args.store.first_kept() / kDecodeChunk : all, leading, std::max(leading, all));
    // At least one, so that every row has sums, even without keys.
    count = std::max<std::size_t>(1, leading + std::max(next, all) - next);
  }

  [[nodiscard]] std::size_t at(std::size_t index) const noexcept { return index < leading ? index : index - leading + next; }
};

/// The queries times their scale, and the sums of every row and chunk.
struct Partials {
  std::size_t queries, chunks, width, stride;
  float* q;  // [rows][width]
  float* m;  // [rows / queries][chunks][queries]
  float* l;  // the same, four lanes each
  float* o;  // the same, `stride` each

  static Partials take(const AttentionArgs& args, Workspace& workspace) noexcept {
    Partials partials;
    partials.queries = args.queries;
    partials.chunks = Chunks(args).count;
    partials.width = args.width;
    partials.stride = round_up(args.value_width, f32::size);
    const std::size_t rows = args.batch * args.heads * args.queries;
    partials.q = workspace.take(rows * args.width);
    partials.m = workspace.take(rows * partials.chunks);
    partials.l = workspace.take(rows * partials.chunks * f32::size);
    partials.o = workspace.take(rows * partials.chunks * partials.stride);
    return partials;
  }

  [[nodiscard]] float* query(std::size_t heads, std::size_t i) const noexcept { return q + (heads * queries + i) * width; }

  /// From query i on; `head` counts over the whole batch.
  [[nodiscard]] RunningRows rows(std::size_t head, std::size_t chunk, std::size_t i) const noexcept {
    const std::size_t row = (head * chunks + chunk) * queries + i;
    return {m + row, l + row * f32::size, o + row * stride, stride};
  }
};

/// Every row's query times the scale, and -inf for the scores that no tile will write.
void prepare_rows(const AttentionArgs& args, const Partials& partials) noexcept {
  const float scale = query_scale(args);
  for (std::size_t b = 0; b < args.batch; ++b) {
    for (std::size_t h = 0; h < args.heads; ++h) {
      for (std::size_t i = args.query_from; i < args.query_to; ++i) {
        const float* const from = args.q.row(b, h, i);
        std::transform(from, from + args.width, partials.query(b * args.heads + h, i), [scale](float x) { return x * scale; });
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
void attend_tiles(const AttentionArgs& args, const Partials& partials, const Chunk& chunk, std::size_t head, std::size_t query,
                  const TileKeys& keys, const TileRows& from) noexcept {
  std::array<ScoreTile, kStreams> tiles;
  for (std::size_t s = 0; s < kStreams; ++s) tiles[s] = place_tile(args, chunk, head, query, keys[s]);
  const std::size_t head_of_all = chunk.batch * args.heads + head, count = tiles[0].rows;

  for (std::size_t r = 0; r < count; ++r) {
    std::array<float*, kStreams> scores;
    for (std::size_t s = 0; s < kStreams; ++s) scores[s] = tiles[s].keys > 0 ? tiles[s].s[r] : nullptr;
    multiply_rows(partials.query(head_of_all, query + r), from.k, args.k.token, args.width, scores);
  }

  const RunningRows rows = partials.rows(head_of_all, chunk.index, query);
  for (ScoreTile& tile : tiles) {
    if (tile.keys == 0) continue;
    finish_scores(args, tile, LogitStage::Biased);
    keep_for_weights(args, tile);
    raise(tile, rows);
  }
  for (ScoreTile& tile : tiles) {
    if (tile.keys > 0) exponentiate(tile, rows);
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

void attend_chunk(const AttentionArgs& args, const Partials& partials, const Chunk& chunk, float* scratch) noexcept {
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

std::size_t decode_workspace_floats(const AttentionArgs& args, std::size_t threads) noexcept {
  const std::size_t rows = args.batch * args.heads * args.queries, partials = rows * Chunks(args).count;
  return workspace_round(rows * args.width) + workspace_round(partials) + workspace_round(partials * f32::size) +
         workspace_round(partials * round_up(args.value_width, f32::size)) +
         workspace_round(threads * stream_floats(args, args.width + args.value_width));
}

void decode(const AttentionArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  const Partials partials = Partials::take(args, workspace);
  const Chunks chunks(args);
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
      write_row(args, head / args.heads, head % args.heads, i, *row.m, row.l, row.o);
    }
  }
}

}  // namespace fovea
