#include "attention/decode/decode_tiles.hpp"

#include <algorithm>

#include "attention/score/score_mods.hpp"
#include "attention/score/store_scores.hpp"
#include "attention/score/tile_masks.hpp"
#include "attention/softmax/normalizer.hpp"
#include "attention/softmax/online_softmax.hpp"
#include "attention/softmax/pointwise_rows.hpp"
#include "attention/softmax/relative_values.hpp"
#include "attention/softmax/selected_rows.hpp"
#include "attention/softmax/weight_scale.hpp"

namespace fovea {
namespace {

static_assert(kStreams == 4 && kKeyTile == kStreamRows && kDecodeChunk % (kKeyTile * kStreams) == 0);

/// Rows of a tile of each stream, where keys and values are gathered.
std::size_t gathered_rows(const AttentionArgs& args) noexcept {
  return args.kv_layout.is_dense_f32() ? 0 : kStreams * kKeyTile;
}

/// The scores of a tile's products; its first row is `row` of the group.
void modify_scores(const AttentionArgs& args, const DecodePartials& partials, const DecodeChunk& chunk, std::size_t row,
                   ScoreTile& tile) noexcept {
  if (args.variant.relative_keys.data != nullptr) {
    tile.relative = partials.products(chunk.group_slot, row);
    tile.relative_stride = partials.sizes.distances;
  }
  apply_score_mods(args, tile, LogitStage::Biased);
}

}  // namespace

ChunkScratch::ChunkScratch(const AttentionArgs& args, Workspace& workspace) noexcept
    : tiles(workspace.take<ScoreTile>(kSharedQueries, kStreams)),
      k(workspace.take<float>(gathered_rows(args), args.width)),
      v(workspace.take<float>(gathered_rows(args), args.value_width)),
      query(workspace.take<float>(args.kv_layout.float16 ? args.width : 0)),
      sorted(workspace.take<float>(needs_full_row(args) ? args.keys : 0)),
      best(workspace.take<Ranked>(row_state(args) == RowState::TopK ? top_k_of(args) : 0)) {}

void start_tiles(const AttentionArgs& args, const HeadIndex& head, const HeadQueries& part, const TileKeys& keys,
                 std::span<ScoreTile> tiles, const ScoreTile* like) noexcept {
  for (std::size_t s = 0; s < tiles.size(); ++s) {
    // Member by member: its scores, most of it, are written later.
    ScoreTile& tile = tiles[s];
    static_cast<HeadIndex&>(tile) = head;
    tile.query = part.first;
    tile.queries = tile.rows = part.count;
    tile.key = keys.first[s];
    tile.keys = keys.keys_of(args, s);
    tile.from = 0;
    tile.to = round_up(tile.keys, kTileLanes);
    tile.query_list = tile.key_list = nullptr;
    tile.relative = nullptr;
    tile.planned = tile.all_allowed = false;
    if (like != nullptr) {
      std::copy_n(like[s].allowed, tile.rows, tile.allowed);
      tile.all_allowed = like[s].all_allowed;
    } else if (tile.keys == kKeyTile && allows_all(args, head.batch, part.first, part.count, tile.key)) {
      mark_all_allowed(tile);
    } else {
      mark_allowed(args, args.position_rules(head.batch), tile);
    }
  }
}

void store_row_scores(const AttentionArgs& args, const DecodePartials& partials, const DecodeChunk& chunk,
                      const HeadQueries& part, std::span<ScoreTile> tiles) noexcept {
  const std::size_t row = chunk.row(args, part.head, part.first);
  for (ScoreTile& tile : tiles) {
    modify_scores(args, partials, chunk, row, tile);
    for (std::size_t r = 0; r < tile.queries; ++r) {
      std::copy_n(tile.s[r], tile.keys, partials.kept_scores(chunk.group_slot, row + r) + tile.key);
    }
  }
}

void take_weights(const AttentionArgs& args, const DecodePartials& partials, const DecodeChunk& chunk, const HeadQueries& part,
                  std::span<ScoreTile> tiles) noexcept {
  const std::size_t row = chunk.row(args, part.head, part.first);
  for (ScoreTile& tile : tiles) {
    for (std::size_t r = 0; r < tile.queries; ++r) {
      std::copy_n(partials.kept_scores(chunk.group_slot, row + r) + tile.key, tile.keys, tile.s[r]);
      std::fill(tile.s[r] + tile.keys, tile.s[r] + tile.to, 0.0f);
    }
    if (args.variant.relative_values.data == nullptr) continue;
    sum_by_distance(args, tile, partials.rows(chunk.slot, row), partials.sizes.value_floats);
  }
}

void weigh(const AttentionArgs& args, const DecodePartials& partials, const DecodeChunk& chunk, const HeadQueries& part,
           std::span<ScoreTile> tiles) noexcept {
  const std::size_t row = chunk.row(args, part.head, part.first);
  const SoftmaxRows rows = partials.rows(chunk.slot, row);
  const bool is_softmax = row_state(args) == RowState::Softmax;
  for (ScoreTile& tile : tiles) {
    modify_scores(args, partials, chunk, row, tile);
    if (sums_values(args)) store_scores_for_weights(args, tile);
    if (is_softmax) rescale(tile, rows);
  }
  for (ScoreTile& tile : tiles) {
    if (chooses_key(args)) {
      update_argmax(args, tile, partials.argmax_rows(chunk.slot, row));
      continue;
    }
    if (is_softmax) {
      exponentiate(tile, rows);
    } else {
      weigh_scores(args.variant.normalizer, tile, {{rows.o, rows.stride}, rows.l});
    }
    scale_weights(args, tile);
    if (args.variant.relative_values.data != nullptr) sum_by_distance(args, tile, rows, partials.sizes.value_floats);
  }
}

}  // namespace fovea
