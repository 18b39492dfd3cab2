#pragma once
/// The numbers of a row that the gradient of its logits needs beside the pair's own, with e = exp(s - lse):
///   w = weight e      dS = e (weight A + offset)      offset = d_lse / Σ_j e - weight D
///   weight = 1 / Σ_j e, times the row's share beside its sink, lse being that of the row without it
/// Σ_j e is 1 but for the rounding of lse. Weights that are functions of one score each have no D:
///   relu     w = weight max(s, 0)       dS = weight A where s > 0      weight = 1 / the row's keys, or 1
///   sigmoid  w = sigmoid(s + bias)      dS = w (1 - w) A
/// Weights that need their whole row, with its highest score as shift and a threshold of scores that are counted from it:
///   top-k      as softmax over the kept keys: scores above the threshold, and at it those up to the last key
///   sparsemax  w = z where z = s - shift - threshold > 0, dS = A + offset       offset = - mean of A over these keys
///   entmax15   w = z², z = (s - shift) / 2 - threshold, dS = z (A + offset)     offset = - mean of A by z

#include <cstddef>
#include <cstdint>

#include "attention/backward/attention_backward.hpp"
#include "attention/problem/query_block.hpp"
#include "attention/problem/token_list.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// The terms of all rows, [B, H, Tq]. Both are 0 for a row without an allowed key.
struct RowTerms {
  float* weight;
  float* offset;
  float* shift;  // of rows that are needed whole, as the next two
  float* threshold;
  std::uint32_t* last_key;

  RowTerms(const AttentionBackwardArgs& args, Workspace& workspace) noexcept;

  /// Writes the terms of a block's rows from the sums of those that need one.
  void write(const AttentionBackwardArgs& args, const QueryBlock& block, const double* sums) const noexcept;
};

/// D of a row
[[nodiscard]] double mean_gradient(const AttentionBackwardArgs& args, const HeadIndex& at, std::size_t query) noexcept;

/// Whether scores of the row have to be summed: Σ_j e of softmax where the lse is large, the keys of relu and sigmoid.
[[nodiscard]] bool needs_sum(const AttentionBackwardArgs& args, std::size_t row) noexcept;

/// The terms of a block of queries, its last strip filled up: the gradient is that of the products, or of the logits where
/// more than a factor lies between them.
struct BlockTerms {
  float* shift;   // lse, or 0 of an empty row
  float* weight;  // of w
  float* factor;  // weight and offset of dS
  float* offset;
  float* threshold;
  std::uint32_t* last_key;
  bool has_empty = false;  // a row without an allowed key, or whose gradients are 0

  [[nodiscard]] bool is_empty(std::size_t row) const noexcept { return weight[row] == 0.0f && offset[row] == 0.0f; }

  BlockTerms(Workspace& workspace, std::size_t rows) noexcept;

  void set(const AttentionBackwardArgs& args, const RowTerms& rows, const HeadIndex& head, const TokenList& queries) noexcept;
};

/// Whether dX is dS times a number, and dS is not wanted.
[[nodiscard]] bool is_scaled_only(const AttentionBackwardArgs& args) noexcept;

/// d_sinks <- d_sinks - Σ of D times the sink's share of the row, over the rows of a head
void add_to_sink(const AttentionBackwardArgs& args, std::size_t head) noexcept;

}  // namespace fovea
