#pragma once
/// Products of queries and keys, the first step of every path.
///   Score::Dot        (query_scale * q) · k
///   Score::Additive   w · f(q + k)   (additive_score.hpp)

#include <cstddef>
#include <span>

#include "attention/problem/attention_args.hpp"
#include "attention/score/score_tile.hpp"
#include "gemm/panels.hpp"
#include "gemm/stream_products.hpp"

namespace fovea {

/// The cost of a pair in multiply-adds, about.
[[nodiscard]] std::size_t pair_work(const AttentionArgs& args) noexcept;

/// Whether the call is too short to share among threads.
[[nodiscard]] bool is_short_call(const AttentionArgs& args) noexcept;

/// One row panel of `count` <= kMr queries.
void pack_query_panel(const AttentionArgs& args, SourceRows rows, std::size_t count, float* panel) noexcept;

/// Column panels of `count` keys.
void pack_key_panels(const AttentionArgs& args, SourceRows rows, std::size_t count, float* panels) noexcept;

/// s[r][0..8·panels) <- the products of packed queries and keys; rows of s are kKeyTile apart.
void multiply_packed(const AttentionArgs& args, std::size_t head, const float* q, const float* k, std::size_t panels,
                     float* s) noexcept;

/// out <- `count` floats: a query as multiply_queries and multiply_gathered take it
void scale_query(const AttentionArgs& args, const float* query, float* out) noexcept;

/// out[s][j] <- the product of each scaled query and row j of stream s, as multiply_streams (gemm/stream_products.hpp). The queries may be
/// of several heads only where scores are dot products.
void multiply_queries(const AttentionArgs& args, std::size_t head, std::span<const StreamProducts> queries,
                      const RowStreams& keys) noexcept;

/// out[n] <- the product of a scaled query and keys[n], as gathered_dots (gemm/gathered_rows.hpp).
void multiply_gathered(const AttentionArgs& args, std::size_t head, const float* query, SourceRows keys, std::size_t count,
                       float* out) noexcept;

}  // namespace fovea
