#include "attention/decode/decode.hpp"

#include <algorithm>
#include <array>

#include "attention/decode/decode_partials.hpp"
#include "attention/score/key_rows.hpp"
#include "attention/score/relative_keys.hpp"
#include "attention/score/score_mods.hpp"
#include "attention/score/score_products.hpp"
#include "attention/score/score_tile.hpp"
#include "attention/score/store_scores.hpp"
#include "attention/score/tile_masks.hpp"
#include "attention/softmax/online_softmax.hpp"
#include "attention/softmax/relative_values.hpp"
#include "attention/softmax/row_results.hpp"
#include "core/infinity.hpp"
#include "gemm/gathered_rows.hpp"
#include "gemm/rows.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;

static_assert(kStreams == 4 && kKeyTile == kStreamRows && kDecodeChunk % (kKeyTile * kStreams) == 0);

/// One chunk of the keys of a group of heads: the step `slot` of a wave, of its group `group_slot`.
struct Chunk {
  DecodeGroup group;
  std::size_t from;  // the first key
  std::size_t slot, group_slot;

  [[nodiscard]] std::size_t row(const AttentionArgs& args, std::size_t head, std::size_t query) const noexcept {
    return (head - group.first_head) * args.queries + query;
  }
};

/// Calls visit(head, query, row of the group).
template <class Visit>
void for_each_row(const AttentionArgs& args, const DecodeGroup& group, Visit visit) noexcept {
  for (std::size_t h = 0; h < group.heads; ++h) {
    for (std::size_t i = args.query_from; i < args.query_to; ++i) visit(group.first_head + h, i, h * args.queries + i);
  }
}

/// Every row's query times the scale, and its products with rK.
void prepare_rows(const AttentionArgs& args, const DecodePartials& partials, const DecodeGroup& group,
                  std::size_t slot) noexcept {
  for_each_row(args, group, [&](std::size_t h, std::size_t i, std::size_t row) {
    float* const query = partials.query(slot, row);
    scale_query(args, args.q.row(group.batch, h, i), query);
    if (const RelativeTable& keys = args.variant.relative_keys; keys.data != nullptr) {
      gathered_dots(query, {keys.of(h), static_cast<std::ptrdiff_t>(args.width)}, keys.distances(), args.width,
                    partials.products(slot, row));
    }
  });
}

/// -inf for the scores that no tile will write.
void start_weights(const AttentionArgs& args, const DecodeGroup& group) noexcept {
  if (args.weights == nullptr) return;
  for_each_row(args, group, [&](std::size_t h, std::size_t i, std::size_t) {
    std::fill_n(weights_row(args, group.batch, h, i), args.keys, kMinusInfinity);
  });
}

/// The next tile of each stream: the keys of a chunk are read in as many streams, one quarter each.
using TileKeys = std::array<std::size_t, kStreams>;
constexpr std::size_t kStreamKeys = kDecodeChunk / kStreams;
constexpr std::size_t kNoKeys = ~std::size_t{0};

/// Allowed pairs are marked; without keys for kNoKeys.
ScoreTile masked_tile(const AttentionArgs& args, const HeadIndex& head, std::size_t query, std::size_t key) noexcept {
  const std::size_t rows = std::min(kMr, args.query_to - query);
  const std::size_t keys = key == kNoKeys ? 0 : std::min(kKeyTile, args.keys - key);
  ScoreTile tile(head, {query, rows}, rows, {key, keys});
  if (keys == kKeyTile && allows_all(args, head.batch, query, rows, key)) {
    mark_all_allowed(tile);
  } else if (keys > 0) {
    mark_allowed(args, args.position_rules(head.batch), tile);
  }
  return tile;
}

/// The rows of k or v of the tiles; `scratch` has room for all of them, where they are gathered.
RowStreams streams_of(const AttentionArgs& args, const StoredRows& rows, const TileKeys& keys, float* scratch) noexcept {
  RowStreams streams;
  for (std::size_t s = 0; s < kStreams; ++s) {
    if (keys[s] == kNoKeys) continue;
    const std::size_t count = std::min(kKeyTile, args.keys - keys[s]);
    streams[s] = {key_rows(args.kv_layout, rows, {keys[s], count}, scratch).at(0), count};
    if (!args.kv_layout.is_dense_f32()) scratch += kKeyTile * rows.width;
  }
  return streams;
}

/// Rows of a tile of each stream, where keys and values are gathered.
struct GatheredStreams {
  float *k, *v;

  GatheredStreams(const AttentionArgs& args, Workspace& workspace) noexcept
      : k(workspace.take<float>(count(args), args.width)), v(workspace.take<float>(count(args), args.value_width)) {}

 private:
  static std::size_t count(const AttentionArgs& args) noexcept {
    return args.kv_layout.is_dense_f32() ? 0 : kStreams * kKeyTile;
  }
};

/// The rows of keys and values that the heads of a group share.
struct TileRows {
  RowStreams k, v;
};

/// The running sums of up to kMr queries of a head over one tile of each stream.
void attend_tiles(const AttentionArgs& args, const DecodePartials& partials, const Chunk& chunk, std::size_t head,
                  std::size_t query, const TileKeys& keys, const TileRows& from) noexcept {
  const HeadIndex index = {chunk.group.batch, head, chunk.group.kv_head};
  const auto tile_at = [&](std::size_t s) { return masked_tile(args, index, query, keys[s]); };
  std::array<ScoreTile, kStreams> tiles = {tile_at(0), tile_at(1), tile_at(2), tile_at(3)};
  const std::size_t row = chunk.row(args, head, query), count = tiles[0].rows;

  for (std::size_t r = 0; r < count; ++r) {
    std::array<float*, kStreams> scores;
    for (std::size_t s = 0; s < kStreams; ++s) scores[s] = tiles[s].keys > 0 ? tiles[s].s[r] : nullptr;
    multiply_streams(args, head, partials.query(chunk.group_slot, row + r), from.k, scores);
  }

  const SoftmaxRows rows = partials.rows(chunk.slot, row);
  for (ScoreTile& tile : tiles) {
    if (tile.keys == 0) continue;
    if (args.variant.relative_keys.data != nullptr) {
      tile.relative = partials.products(chunk.group_slot, row);
      tile.relative_stride = partials.sizes.distances;
    }
    apply_score_mods(args, tile, LogitStage::Biased);
    store_scores_for_weights(args, tile);
    rescale(tile, rows);
  }
  for (ScoreTile& tile : tiles) {
    if (tile.keys == 0) continue;
    exponentiate(tile, rows);
    if (args.variant.relative_values.data != nullptr) sum_by_distance(args, tile, rows, partials.sizes.value_floats);
  }

  for (std::size_t r = 0; r < count; ++r) {
    // Forbidden values are not even read: what they hold cannot matter.
    std::array<RowWeights, kStreams> weights;
    for (std::size_t s = 0; s < kStreams; ++s) {
      if (tiles[s].keys > 0) weights[s] = {tiles[s].s[r], tiles[s].allowed[r]};
    }
    weighted_row_sum(from.v, weights, args.v.token, args.value_width, rows.o + r * rows.stride);
  }
}

void attend_chunk(const AttentionArgs& args, const DecodePartials& partials, const Chunk& chunk,
                  const GatheredStreams& scratch) noexcept {
  const auto& [batch, kv_head, first_head, heads] = chunk.group;
  const std::size_t first = args.query_from, last = args.query_to;
  for (std::size_t h = first_head; h < first_head + heads; ++h) {
    init(partials.rows(chunk.slot, chunk.row(args, h, first)), last - first);
  }
  const KeyRange range = args.position_rules(batch).keys_of(first, last - first);
  for (std::size_t t = 0; t < kStreamKeys; t += kKeyTile) {
    TileKeys keys;
    bool any = false;
    for (std::size_t s = 0; s < kStreams; ++s) {
      const std::size_t key = chunk.from + s * kStreamKeys + t;
      const bool needed = key < args.keys && may_attend(args, range, {key, std::min(key + kKeyTile, args.keys)}) &&
                          !all_evicted(args, batch, first, key, kKeyTile);
      keys[s] = needed ? key : kNoKeys;
      any = any || needed;
    }
    if (!any) continue;
    const TileRows from = {streams_of(args, StoredRows::keys(args, batch, kv_head), keys, scratch.k),
                           streams_of(args, StoredRows::values(args, batch, kv_head), keys, scratch.v)};
    for (std::size_t h = first_head; h < first_head + heads; ++h) {
      for (std::size_t i = first; i < last; i += kMr) attend_tiles(args, partials, chunk, h, i, keys, from);
    }
  }
}

/// The rows of output, weights and lse of a group, of the sums over all its keys.
void write_rows(const AttentionArgs& args, const DecodePartials& partials, const DecodeGroup& group,
                std::size_t slot) noexcept {
  for_each_row(args, group, [&](std::size_t h, std::size_t i, std::size_t row) {
    const SoftmaxRows sums = partials.rows(slot, row);
    add_relative_values(args, h, sums.o, partials.sizes.value_floats);
    write_row(args, group.batch, h, i, *sums.m, sums.l, sums.o);
  });
}

/// Merges the steps [first, first + count) in order, writes the groups that end, and carries the sums of one that does not.
void merge_wave(const AttentionArgs& args, const DecodePartials& partials, std::uint64_t first, std::size_t count) noexcept {
  const std::size_t chunks = partials.sizes.chunks.count;
  std::size_t total = partials.carried();
  DecodeGroup group{};
  for (std::size_t slot = 0; slot < count; ++slot) {
    const std::uint64_t step = first + slot;
    group = partials.sizes.group(args, step / chunks);
    if (step % chunks == 0) {
      total = slot;
    } else {
      for_each_row(args, group, [&](std::size_t, std::size_t, std::size_t row) {
        merge_row(partials.rows(total, row), partials.rows(slot, row));
      });
    }
    if (step % chunks == chunks - 1) write_rows(args, partials, group, total);
  }
  if ((first + count) % chunks == 0 || total == partials.carried()) return;
  for_each_row(args, group, [&](std::size_t, std::size_t, std::size_t row) {
    copy_row(partials.rows(total, row), partials.rows(partials.carried(), row));
  });
}

}  // namespace

DecodeScratch::DecodeScratch(const AttentionArgs& args, std::size_t threads, Workspace& workspace) noexcept
    : partials(args, threads, workspace), gathered(workspace, threads, [&](Workspace& own) { GatheredStreams(args, own); }) {}

void decode(const AttentionArgs& args, const DecodeScratch& scratch, ThreadPool* pool) noexcept {
  const DecodePartials& partials = scratch.partials;
  const DecodeSizes& sizes = partials.sizes;
  const std::size_t chunks = sizes.chunks.count;
  for (std::uint64_t first = 0; first < sizes.steps; first += sizes.wave) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(sizes.wave, sizes.steps - first));
    const std::uint64_t first_group = first / chunks;
    for (std::uint64_t group = first_group; group * chunks < first + count; ++group) {
      prepare_rows(args, partials, sizes.group(args, group), static_cast<std::size_t>(group - first_group));
      if (group * chunks >= first) start_weights(args, sizes.group(args, group));
    }
    parallel_for(pool, count, [&](std::size_t slot, std::size_t thread) {
      const std::uint64_t group = (first + slot) / chunks;
      const auto which = static_cast<std::size_t>((first + slot) % chunks);
      const Chunk chunk = {sizes.group(args, group), sizes.chunks.at(which) * kDecodeChunk, slot,
                           static_cast<std::size_t>(group - first_group)};
      Workspace own = scratch.gathered.of(thread);
      attend_chunk(args, partials, chunk, GatheredStreams(args, own));
    });
    merge_wave(args, partials, first, count);
  }
}

}  // namespace fovea
