#include "attention/decode.hpp"

#include <algorithm>

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

static_assert(kKeyTile == kMostRows && kDecodeChunk % kKeyTile == 0);

/// At least one, so that every row has sums, even without keys.
std::size_t chunks_of(const AttentionArgs& args) noexcept {
  return std::max<std::size_t>(1, (args.keys + kDecodeChunk - 1) / kDecodeChunk);
}

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
    partials.chunks = chunks_of(args);
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

std::size_t last_query(const AttentionArgs& args) noexcept { return std::min(args.query_to, args.queries); }

void scale_queries(const AttentionArgs& args, const Partials& partials) noexcept {
  const float scale = query_scale(args);
  for (std::size_t b = 0; b < args.batch; ++b) {
    for (std::size_t h = 0; h < args.heads; ++h) {
      for (std::size_t i = args.query_from; i < last_query(args); ++i) {
        const float* const from = args.q.row(b, h, i);
        std::transform(from, from + args.width, partials.query(b * args.heads + h, i), [scale](float x) { return x * scale; });
      }
    }
  }
}

/// One chunk of the keys of one key/value head.
struct Chunk {
  std::size_t batch, kv_head, index;

  [[nodiscard]] std::size_t from() const noexcept { return index * kDecodeChunk; }
};

/// The running sums of up to kPanelRows queries of a head over one tile of keys.
void attend_tile(const AttentionArgs& args, const Partials& partials, const Chunk& chunk, std::size_t head, std::size_t query,
                 std::size_t key) noexcept {
  ScoreTile tile;
  tile.batch = chunk.batch;
  tile.head = head;
  tile.kv_head = chunk.kv_head;
  tile.query = query;
  tile.queries = tile.rows = std::min(kPanelRows, last_query(args) - query);
  tile.key = key;
  tile.keys = std::min(kKeyTile, args.keys - key);
  if (allows_all(args, tile.batch, tile.query, tile.queries, key)) {
    mark_all_allowed(tile);
  } else {
    mark_allowed(args, tile);
  }

  const std::size_t head_of_all = tile.batch * args.heads + head;
  const float* const keys = args.k.row(tile.batch, tile.kv_head, key);
  for (std::size_t r = 0; r < tile.rows; ++r) {
    multiply_rows(partials.query(head_of_all, query + r), keys, args.k.token, tile.keys, args.width, tile.s[r]);
  }
  finish_scores(args, tile, LogitStage::Biased);
  if (args.weights != nullptr) keep_scores(tile, weights_row(args, tile.batch, head, query), args.keys);

  const RunningRows rows = partials.rows(head_of_all, chunk.index, query);
  raise_and_exponentiate(tile, rows);
  const float* const values = args.v.row(tile.batch, tile.kv_head, key);
  for (std::size_t r = 0; r < tile.rows; ++r) {
    // Forbidden values are not even read: what they hold cannot matter.
    accumulate_chosen_rows(tile.s[r], tile.allowed[r], values, args.v.token, args.value_width, rows.o + r * rows.stride);
  }
}

void attend_chunk(const AttentionArgs& args, const Partials& partials, const Chunk& chunk) noexcept {
  const std::size_t group = args.heads / args.kv_heads, first_head = chunk.kv_head * group;
  const std::size_t first = args.query_from, last = last_query(args);
  for (std::size_t h = first_head; h < first_head + group; ++h) {
    start(partials.rows(chunk.batch * args.heads + h, chunk.index, first), last - first);
  }
  // Both ends of the range of allowed keys only grow from query to query.
  const KeyRange range = {allowed_keys(args, chunk.batch, first).from, allowed_keys(args, chunk.batch, last - 1).to};
  const std::size_t from = std::max(range.from / kKeyTile * kKeyTile, chunk.from());
  const std::size_t to = std::min(range.to, chunk.from() + kDecodeChunk);
  for (std::size_t key = from; key < to; key += kKeyTile) {
    for (std::size_t h = first_head; h < first_head + group; ++h) {
      for (std::size_t i = first; i < last; i += kPanelRows) attend_tile(args, partials, chunk, h, i, key);
    }
  }
}

/// Chunk 0's sums <- the sums of all chunks, in their order.
void merge_chunks(const Partials& partials, std::size_t head, std::size_t i) noexcept {
  const RunningRows total = partials.rows(head, 0, i);
  float& m = *total.m;
  for (std::size_t chunk = 1; chunk < partials.chunks; ++chunk) {
    const RunningRows part = partials.rows(head, chunk, i);
    if (*part.m == kMinusInfinity && load(part.l).get(0) == 0.0f) continue;
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
  return workspace_round(rows * args.width) + workspace_round(partials) + workspace_round(partials * f32::size) +
         workspace_round(partials * round_up(args.value_width, f32::size));
}

void decode(const AttentionArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  const Partials partials = Partials::take(args, workspace);
  scale_queries(args, partials);
  for (std::size_t row = 0; args.weights != nullptr && row < args.batch * args.heads; ++row) {
    for (std::size_t i = args.query_from; i < last_query(args); ++i) {
      std::fill_n(args.weights + (row * args.queries + i) * args.keys, args.keys, kMinusInfinity);
    }
  }
  run_on(pool, args.batch * args.kv_heads * partials.chunks, [&](std::size_t index, std::size_t) {
    const std::size_t kv_head = index / partials.chunks;
    attend_chunk(args, partials, {kv_head / args.kv_heads, kv_head % args.kv_heads, index % partials.chunks});
  });
  for (std::size_t head = 0; head < args.batch * args.heads; ++head) {
    for (std::size_t i = args.query_from; i < last_query(args); ++i) {
      merge_chunks(partials, head, i);
      const RunningRows row = partials.rows(head, 0, i);
      write_row(args, head / args.heads, head % args.heads, i, *row.m, row.l, row.o);
    }
  }
}

}  // namespace fovea
