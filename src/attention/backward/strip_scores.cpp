#include "attention/backward/strip_scores.hpp"

#include <algorithm>

#include "attention/pattern/plan.hpp"
#include "attention/score/score_mods.hpp"
#include "attention/score/score_products.hpp"
#include "attention/score/tile_masks.hpp"
#include "simd/simd.hpp"

namespace fovea {

StripColumns columns_of(const AttentionArgs& args, std::size_t batch, std::size_t query, std::size_t rows,
                        const PackedKeys& keys) noexcept {
  const PositionRules rules = args.position_rules(batch);
  const KeyRange range = rules.keys_of(query, rows);
  const std::size_t end = keys.tokens.first + keys.tokens.count;
  std::size_t from = std::clamp(range.from, keys.tokens.first, end), to = std::clamp(range.to, keys.tokens.first, end);
  if (end > rules.keys) {
    if (from == to) from = std::max(rules.keys, keys.tokens.first);
    to = end;
  }
  if (from >= to) return {};
  return {(from - keys.tokens.first) / kNr * kNr, round_up(to - keys.tokens.first, kNr)};
}

bool allows_strip(const AttentionArgs& args, const PackedQueries& queries, const PackedKeys& keys, std::size_t row,
                  const StripColumns& columns) noexcept {
  return !columns.planned && allows_all(args, queries.block.batch, queries.block.first + row,
                                        std::min(kMr, queries.block.count - row), keys.tokens.first);
}

ScoreTile marked_tile(const AttentionArgs& args, const PackedQueries& queries, const PackedKeys& keys, std::size_t row,
                      const StripColumns& columns, bool all_allowed) noexcept {
  const std::size_t count = std::min(kMr, queries.block.count - row);
  ScoreTile tile(queries.block, queries.tokens().part(row, count), kMr, keys.tokens);
  tile.from = columns.from;
  tile.to = columns.to;
  tile.planned = columns.planned;
  if (all_allowed || (columns.planned && columns.masks == nullptr && !args.has_mask())) {
    mark_all_allowed(tile);
    return tile;
  }
  const PlanBlock plan = {0, columns.from, columns.to, columns.masks};
  for (std::size_t r = 0; r < kMr && columns.planned; ++r) {
    tile.allowed[r] = columns.masks != nullptr ? plan.mask(r) : ~std::uint64_t{0};
  }
  mark_allowed(args, args.position_rules(tile.batch), tile);
  return tile;
}

void compute_scores(const AttentionArgs& args, const PackedQueries& queries, const PackedKeys& keys, std::size_t row,
                    ScoreTile& tile, float (*capped)[kKeyTile]) noexcept {
  queries.relative_keys.set(tile, row);
  multiply_packed(args, tile.head, queries.q + row * args.width, keys.k + tile.from * args.width, (tile.to - tile.from) / kNr,
                  tile.s[0] + tile.from);
  make_capped_scores(args, tile, LogitStage::Biased);
  for (std::size_t r = 0; capped != nullptr && r < kMr; ++r) {
    over_columns(tile, [&](std::size_t j) { simd::store(capped[r] + j, simd::load(tile.s[r] + j)); });
  }
  make_biased_scores(args, tile);
}

}  // namespace fovea
