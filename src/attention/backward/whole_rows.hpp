#pragma once
/// The terms of rows whose weights need all their scores (row_terms.hpp), found from panels of whole rows.

#include <cstddef>

#include "attention/backward/attention_backward.hpp"
#include "attention/backward/row_terms.hpp"
#include "attention/problem/query_block.hpp"
#include "core/workspace.hpp"
#include "ops/top_k.hpp"

namespace fovea {

/// The most rows of a panel.
inline constexpr std::size_t kPanelBlock = 60;

/// Rows of a block's panel; 0 where no row is needed whole.
[[nodiscard]] std::size_t panel_rows(const AttentionArgs& args) noexcept;

struct WholeRows {
  float* scores;     // [rows][keys], -inf where not allowed
  float* gradients;  // f A of the same pairs; not of top-k
  float* weights;    // [keys]
  float* scratch;    // [keys]
  Ranked* kept;      // [k], of top-k

  WholeRows(const AttentionBackwardArgs& args, Workspace& workspace) noexcept;

  /// No pair of `count` rows is allowed yet.
  void clear(const AttentionArgs& args, std::size_t count) const noexcept;

  /// Terms of the block from its panels, which hold all its pairs.
  void write_terms(const AttentionBackwardArgs& args, const QueryBlock& block, const RowTerms& terms) const noexcept;
};

}  // namespace fovea
