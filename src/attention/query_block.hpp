#pragma once
/// A block of queries of one head, which walks over the keys tile by tile: the path of many queries (Dao et al. 2022,
/// arXiv:2205.14135, algorithm 1, queries in the outer loop). Each tile of keys and values is packed once for the block.

#include <cstddef>

#include "attention/attention.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// 264, whole strips of 4 as of 6 rows: packing K and V then costs a fiftieth of the products.
inline constexpr std::size_t kQueryBlock = 264;

struct QueryBlock {
  std::size_t batch, head, kv_head;
  std::size_t first, count;  // count <= kQueryBlock
};

/// How many scores of whole rows, or what top-k keeps of them, a block holds at most; one row may be longer.
inline constexpr std::size_t kPanelScores = 262144;

/// So many queries a block of this call may have.
[[nodiscard]] std::size_t most_block_rows(const AttentionArgs& args) noexcept;

/// What one thread needs: independent of Tq, and of Tk but for a row longer than kPanelScores.
std::size_t query_block_workspace_floats(const AttentionArgs& args) noexcept;

/// The block's rows of output, weights and lse.
void attend_block(const AttentionArgs& args, const QueryBlock& block, Workspace workspace) noexcept;

/// The block's rows of the logits [B, H, Tq, Tk].
void write_logits(const AttentionArgs& args, const QueryBlock& block, LogitStage stage, float* logits,
                  Workspace workspace) noexcept;

}  // namespace fovea
