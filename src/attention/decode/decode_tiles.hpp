#pragma once
/// Score tiles of decoding: those of one head's queries and 64 keys of each stream.

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "attention/decode/decode_partials.hpp"
#include "attention/problem/attention_args.hpp"
#include "attention/score/score_tile.hpp"
#include "core/workspace.hpp"
#include "gemm/row_streams.hpp"

namespace fovea {

/// Queries that are multiplied with one load of 256 keys and values.
inline constexpr std::size_t kSharedQueries = kMostVectors;

/// One chunk of the keys of a group of heads: the step `slot` of a wave, of its group `group_slot`.
struct DecodeChunk {
  DecodeGroup group;
  std::size_t from;  // the first key
  std::size_t slot, group_slot;

  [[nodiscard]] std::size_t row(const AttentionArgs& args, std::size_t head, std::size_t query) const noexcept {
    return (head - group.first_head) * args.queries + query;
  }
};

/// The scratch of one thread: score tiles of kSharedQueries queries, rows of keys and values that are gathered, and a
/// query that is multiplied with keys of float16.
struct ChunkScratch {
  ScoreTile* tiles;
  float *k, *v, *query;
  float* sorted;  // [keys], where whole rows are normalized
  Ranked* best;   // [top_k_of()], of top-k

  ChunkScratch(const AttentionArgs& args, Workspace& workspace) noexcept;
};

/// The first keys of the next tiles, of the streams that have one: the keys of a chunk are read in four streams, a quarter each.
struct TileKeys {
  std::array<std::size_t, kStreams> first;
  std::size_t count = 0;

  [[nodiscard]] std::size_t keys_of(const AttentionArgs& args, std::size_t s) const noexcept {
    return std::min(kKeyTile, args.keys - first[s]);
  }
};
inline constexpr std::size_t kStreamKeys = kDecodeChunk / kStreams;

/// Queries of one head, at most as many as a tile has rows.
struct HeadQueries {
  std::size_t head, first, count;
};

/// One tile of each stream that has keys, for each part: tiles[part][stream].
inline std::span<ScoreTile> tiles_of(const ChunkScratch& scratch, std::size_t part, const TileKeys& keys) noexcept {
  return {scratch.tiles + part * kStreams, keys.count};
}

/// The tiles of a part <- allowed pairs are marked, scores not written. `like`: the tiles of the same queries of another head.
void start_tiles(const AttentionArgs& args, const HeadIndex& head, const HeadQueries& part, const TileKeys& keys,
                 std::span<ScoreTile> tiles, const ScoreTile* like) noexcept;

/// kept scores <- the scores of the tiles' products
void store_row_scores(const AttentionArgs& args, const DecodePartials& partials, const DecodeChunk& chunk,
                      const HeadQueries& part, std::span<ScoreTile> tiles) noexcept;

/// tiles <- the weights that normalized rows have
void take_weights(const AttentionArgs& args, const DecodePartials& partials, const DecodeChunk& chunk, const HeadQueries& part,
                  std::span<ScoreTile> tiles) noexcept;

/// tiles <- the weights of their products, undivided and scaled; the sums of a part are brought up to them.
void weigh(const AttentionArgs& args, const DecodePartials& partials, const DecodeChunk& chunk, const HeadQueries& part,
           std::span<ScoreTile> tiles) noexcept;

}  // namespace fovea
