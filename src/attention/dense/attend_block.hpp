#pragma once
/// A block of queries of one head, which walks over the keys tile by tile: the path of many queries (Dao et al. 2022,
/// arXiv:2205.14135, algorithm 1, queries in the outer loop). Each tile of keys and values is packed once for the block.

#include "attention/problem/attention_args.hpp"
#include "attention/problem/query_block.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// The block's rows of output, weights and lse. The workspace holds a BlockScratch.
void attend_block(const AttentionArgs& args, const QueryBlock& block, Workspace workspace) noexcept;

/// The block's rows of the logits [B, H, Tq, Tk].
void write_logits(const AttentionArgs& args, const QueryBlock& block, LogitStage stage, float* logits,
                  Workspace workspace) noexcept;

}  // namespace fovea
