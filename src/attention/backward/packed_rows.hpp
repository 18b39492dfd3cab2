#pragma once
/// Queries and keys as the products of the gradient read them: each as both factors of a product.

#include <cstddef>
#include <cstdint>

#include "attention/backward/attention_backward.hpp"
#include "attention/backward/row_terms.hpp"
#include "attention/problem/query_block.hpp"
#include "attention/problem/token_list.hpp"
#include "attention/score/relative_keys.hpp"
#include "attention/score/score_tile.hpp"
#include "core/workspace.hpp"
#include "gemm/panels.hpp"

namespace fovea {

/// Queries whose pairs with a tile of keys are computed together: whole strips.
inline constexpr std::size_t kBackwardRows = round_up(64, kMr);

/// Tiles of keys that share packed queries, and blocks of queries that share packed keys.
inline constexpr std::size_t kTilesTogether = 2;
inline constexpr std::size_t kBlocksTogether = (kQueryBlock + kBackwardRows - 1) / kBackwardRows;

/// The products to compute of a block of queries and a tile of keys; `pairs`: sums over pairs (pair_sums.hpp).
struct WantedGradients {
  bool d_q, d_k, d_v, pairs;

  [[nodiscard]] bool scores() const noexcept { return d_q || d_k || pairs; }
  [[nodiscard]] bool of_keys() const noexcept { return d_k || d_v; }
  [[nodiscard]] bool of_queries() const noexcept { return d_q || pairs; }
};

/// The rows of some tokens of a head.
[[nodiscard]] inline SourceRows source_rows(const HeadsView<const float>& array, std::size_t batch, std::size_t head,
                                            const TokenList& tokens) noexcept {
  return {array.row(batch, head, tokens.list != nullptr ? 0 : tokens.first), array.token, tokens.list};
}

/// A block of at most kBackwardRows queries.
struct PackedQueries {
  float* q;                          // row panels, as the scores read them
  float* d_output;                   // row panels
  float* q_columns;                  // column panels
  float* d_output_columns;           // column panels
  RelativeProducts relative_keys;    // q · rK
  RelativeProducts relative_values;  // d_output · rV
  BlockTerms terms;
  QueryBlock block;
  const std::uint32_t* list = nullptr;  // the queries of the block; null: consecutive
  bool finite;                          // the column panels

  PackedQueries(const AttentionBackwardArgs& args, Workspace& workspace) noexcept;

  void pack(const AttentionBackwardArgs& args, const RowTerms& rows, const QueryBlock& of, const WantedGradients& wanted,
            const std::uint32_t* of_list = nullptr) noexcept;

  [[nodiscard]] TokenList tokens() const noexcept { return {block.first, block.count, list}; }

  /// The row of the block's query i.
  template <class T>
  [[nodiscard]] T* row(const HeadsView<T>& array, std::size_t i) const noexcept {
    return array.row(block.batch, block.head, tokens().at(i));
  }
};

/// A tile of keys and their values, and the sums of their gradients.
struct PackedKeys {
  float* k;          // column panels of kᵀ, as the scores read them
  float* v;          // column panels of vᵀ
  float* k_columns;  // column panels
  float* d_k;        // sums in column panels of whole strips of keys
  float* d_v;
  std::size_t batch, kv_head;
  TokenList tokens;
  bool finite;  // k_columns

  PackedKeys(const AttentionBackwardArgs& args, Workspace& workspace) noexcept;

  void pack(const AttentionBackwardArgs& args, std::size_t of_batch, std::size_t of_kv_head, const TokenList& keys,
            const WantedGradients& wanted) noexcept;

  /// The rows of d_k and d_v <- themselves plus the sums
  void add_sums(const AttentionBackwardArgs& args, const WantedGradients& wanted) const noexcept;
};

}  // namespace fovea
