#pragma once
/// Products of queries and keys, the first step of every path.
///   Score::Dot        (query_scale * q) · k
///   Score::Additive   w · tanh(q + k)   (additive_score.hpp)

#include <cstddef>

#include "attention/problem/attention_args.hpp"
#include "attention/score/score_tile.hpp"
#include "gemm/panels.hpp"
#include "gemm/rows.hpp"

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

/// out <- `count` floats: a query as multiply_streams and multiply_gathered take it
void scale_query(const AttentionArgs& args, const float* query, float* out) noexcept;

/// out[s][j] <- the product of a scaled query and row j of stream s, as gemv (gemm/rows.hpp).
void multiply_streams(const AttentionArgs& args, std::size_t head, const float* query, const RowStreams& keys,
                      const std::array<float*, kStreams>& out) noexcept;

/// out[n] <- the product of a scaled query and keys[n], as gathered_dots (gemm/gathered_rows.hpp).
void multiply_gathered(const AttentionArgs& args, std::size_t head, const float* query, SourceRows keys, std::size_t count,
                       float* out) noexcept;

}  // namespace fovea
