#include "attention/dense/dense.hpp"

#include <algorithm>

#include "attention/dense/attend_block.hpp"
#include "attention/dense/block_tiles.hpp"
#include "attention/score/score_products.hpp"
#include "gemm/panels.hpp"

namespace fovea {
namespace {

/// All queries of all heads, cut into blocks for the threads.
struct Blocks {
  std::size_t rows;      // of a block
  std::size_t per_head;  // blocks
  std::size_t heads;     // of all batch entries

  Blocks(const AttentionArgs& args, std::size_t threads) noexcept : heads(args.batch * args.heads) {
    const std::size_t queries = args.query_to - args.query_from;
    const std::size_t most = rows = max_block_rows(args);
    // A few blocks for every thread, so that they end together; but not so small that packing the keys takes over.
    const std::size_t wanted = heads == 0 ? 0 : 4 * threads / heads;
    if (threads > 1 && wanted * rows > queries) {
      rows = std::min(std::max(round_up(queries / wanted, kMr), 6 * kMr), most);
    }
    per_head = (queries + rows - 1) / rows;
  }

  [[nodiscard]] std::size_t count() const noexcept { return heads * per_head; }

  /// In an order of falling work: of a causal head the last queries see the most keys.
  [[nodiscard]] QueryBlock at(const AttentionArgs& args, std::size_t index) const noexcept {
    const bool falling = args.causal || args.direction == Direction::Forward;
    const std::size_t head = falling ? index % heads : index / per_head;
    const std::size_t block = falling ? per_head - 1 - index / heads : index % per_head;
    const std::size_t first = args.query_from + block * rows;
    return {args.head_at(head), first, std::min(rows, args.query_to - first)};
  }
};

/// Calls visit(block, workspace) for all queries of all heads, on the threads of the pool.
template <class Visit>
Status for_each_block(const AttentionArgs& args, Workspace workspace, ThreadPool* pool, Visit visit) noexcept {
  const ThreadWorkspaces scratch = take_dense_scratch(args, threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  const Blocks blocks(args, threads_of(pool));
  parallel_for(is_short_call(args) ? nullptr : pool, blocks.count(),
               [&](std::size_t index, std::size_t thread) { visit(blocks.at(args, index), scratch.of(thread)); });
  return Status::Ok;
}

}  // namespace

ThreadWorkspaces take_dense_scratch(const AttentionArgs& args, std::size_t threads, Workspace& workspace) noexcept {
  return {workspace, threads, [&](Workspace& own) { BlockScratch(args, own); }};
}

Status attend_dense(const AttentionArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  return for_each_block(args, workspace, pool,
                        [&](const QueryBlock& block, Workspace scratch) { attend_block(args, block, scratch); });
}

Status dense_logits(const AttentionArgs& args, LogitStage stage, float* logits, Workspace workspace,
                    ThreadPool* pool) noexcept {
  return for_each_block(args, workspace, pool,
                        [&](const QueryBlock& block, Workspace scratch) { write_logits(args, block, stage, logits, scratch); });
}

}  // namespace fovea
