#pragma once
/// What every path takes a query and a key through first, whichever score is chosen: the products of a tile. For Score::Dot
/// they are (query_scale * q) · k, for Score::Additive those of additive_score.hpp.

#include <cstddef>

#include "attention/attention.hpp"
#include "attention/score_tile.hpp"
#include "ops/panels.hpp"
#include "ops/rows.hpp"

namespace fovea {

/// What a pair costs, about, in multiply-adds.
[[nodiscard]] std::size_t pair_work(const AttentionArgs& args) noexcept;

/// One row panel of `count` <= kPanelRows queries.
void pack_query_panel(const AttentionArgs& args, SourceRows rows, std::size_t count, float* panel) noexcept;

/// Column panels of `count` keys.
void pack_key_panels(const AttentionArgs& args, SourceRows rows, std::size_t count, float* panels) noexcept;

/// s[r][0..8·panels) <- the products of packed queries and keys; rows of s are kKeyTile apart.
void multiply_packed(const AttentionArgs& args, std::size_t head, const float* q, const float* k, std::size_t panels,
                     float* s) noexcept;

/// out <- `count` floats: a query as multiply_streams and multiply_edges take it
void scale_query(const AttentionArgs& args, const float* query, float* out) noexcept;

/// out[s][j] <- the product of a scaled query and row j of stream s, as multiply_rows (ops/rows.hpp).
void multiply_streams(const AttentionArgs& args, std::size_t head, const float* query, const RowStreams& keys,
                      const std::array<float*, kStreams>& out) noexcept;

/// out[n] <- the product of a scaled query and keys[n], as multiply_listed (ops/listed_rows.hpp).
void multiply_edges(const AttentionArgs& args, std::size_t head, const float* query, SourceRows keys, std::size_t count,
                    float* out) noexcept;

/// Products that the panels' factors could not tell are computed again, where the stage shows them.
void score_far_pairs(const AttentionArgs& args, ScoreTile& tile, LogitStage stage) noexcept;

}  // namespace fovea
