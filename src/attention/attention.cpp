#include "attention/attention.hpp"

#include <algorithm>
#include <cmath>

#include "attention/bucket_bias.hpp"
#include "attention/decode.hpp"
#include "attention/normalizer.hpp"
#include "attention/query_block.hpp"
#include "attention/score_products.hpp"
#include "attention/sparse.hpp"
#include "ops/panels.hpp"

namespace fovea {
namespace {

Status check_axes(const AttentionArgs& args) noexcept {
  const auto& [kind, bias, scaled, k, seed] = args.axes.normalizer;
  if (!(args.axes.temperature > 0.0f) || !std::isfinite(args.axes.temperature)) return Status::Value;
  if (kind > NormalizerKind::Entmax15 || !std::isfinite(bias)) return Status::Value;
  if (kind == NormalizerKind::TopK && k == 0) return Status::Value;
  const bool needs_softmax = args.lse != nullptr || args.sinks != nullptr;
  return needs_softmax && kind != NormalizerKind::Softmax ? Status::Option : Status::Ok;
}

bool is_valid(const AttentionArgs& args, const KeyStore& store) noexcept {
  if (store.window != kUnbounded && store.window < 1) return false;
  if (store.is_plain()) return true;
  return (store.shift == 0 || store.first_kept() <= args.keys) && args.k.token == static_cast<std::ptrdiff_t>(args.width) &&
         args.v.token == static_cast<std::ptrdiff_t>(args.value_width);
}

Status check(const AttentionArgs& args) noexcept {
  if (args.width == 0 || args.kv_heads == 0 || args.heads % args.kv_heads != 0) return Status::Shape;
  if (!std::isfinite(args.scale) || !(args.softcap >= 0.0f) || !std::isfinite(args.softcap)) return Status::Value;
  if (args.window_left < kUnbounded || args.window_right < kUnbounded || !has_valid_buckets(args)) return Status::Value;
  if (args.axes.score == Score::Additive && args.axes.score_weights == nullptr) return Status::Value;
  if (args.axes.score == Score::Additive && args.axes.relative_keys.data != nullptr) return Status::Option;
  if (!is_valid(args, args.store)) return Status::Value;
  for (std::size_t b = 0; args.key_lengths != nullptr && b < args.batch; ++b) {
    if (args.key_lengths[b] < 0 || static_cast<std::size_t>(args.key_lengths[b]) > args.keys) return Status::Value;
  }
  return check_axes(args);
}

/// The same call with query_from <= query_to <= Tq.
AttentionArgs clip_queries(AttentionArgs args) noexcept {
  args.query_to = std::min(args.query_to, args.queries);
  args.query_from = std::min(args.query_from, args.query_to);
  return args;
}

bool is_short(const AttentionArgs& args) noexcept {
  return is_short_work(args.batch * args.heads * args.queries, args.keys - args.store.shift, pair_work(args));
}

/// Whether a call goes the way of a few queries: partial sums of chunks are merged as those of softmax.
bool decodes(const AttentionArgs& args) noexcept {
  return args.plans == nullptr && args.queries <= kDecodeQueries && args.axes.normalizer.kind == NormalizerKind::Softmax;
}

/// All queries of all heads, cut into blocks for the threads.
struct Blocks {
  std::size_t rows;      // of a block
  std::size_t per_head;  // blocks
  std::size_t heads;     // of all batch entries

  Blocks(const AttentionArgs& args, std::size_t threads) noexcept : heads(args.batch * args.heads) {
    const std::size_t queries = args.query_to - args.query_from;
    const std::size_t most = rows = most_block_rows(args);
    // A few blocks for every thread, so that they end together; but not so small that packing the keys takes over.
    const std::size_t wanted = heads == 0 ? 0 : 4 * threads / heads;
    if (threads > 1 && wanted * rows > queries) {
      rows = std::min(std::max(round_up(queries / wanted, kPanelRows), 6 * kPanelRows), most);
    }
    per_head = (queries + rows - 1) / rows;
  }

  [[nodiscard]] std::size_t count() const noexcept { return heads * per_head; }

  /// In an order of falling work: of a causal head the last queries see the most keys.
  [[nodiscard]] QueryBlock at(const AttentionArgs& args, std::size_t index) const noexcept {
    const bool falling = args.causal || args.axes.direction == Direction::Forward;
    const std::size_t head = falling ? index % heads : index / per_head;
    const std::size_t block = falling ? per_head - 1 - index / heads : index % per_head;
    const std::size_t first = args.query_from + block * rows;
    const std::size_t h = head % args.heads;
    return {head / args.heads, h, h / (args.heads / args.kv_heads), first, std::min(rows, args.query_to - first)};
  }
};

/// Calls visit(block, workspace) for all queries of all heads, on the threads of the pool.
template <class Visit>
Status for_each_block(const AttentionArgs& args, Workspace workspace, ThreadPool* pool, Visit visit) noexcept {
  const std::size_t threads = threads_of(pool), each = query_block_workspace_floats(args);
  float* const scratch = workspace.take(threads * each);
  if (!workspace.sufficed()) return Status::Memory;
  const Blocks blocks(args, threads);
  run_on(is_short(args) ? nullptr : pool, blocks.count(), [&](std::size_t index, std::size_t thread) {
    visit(blocks.at(args, index), Workspace(scratch + thread * each, each));
  });
  return Status::Ok;
}

}  // namespace

std::size_t attention_workspace_floats(const AttentionArgs& args, std::size_t threads) noexcept {
  return decodes(args) ? bucket_bias_floats(args) + decode_workspace_floats(args, threads)
                       : attention_logits_workspace_floats(args, threads);
}

std::size_t attention_logits_workspace_floats(const AttentionArgs& args, std::size_t threads) noexcept {
  return bucket_bias_floats(args) + (args.plans != nullptr ? sparse_workspace_floats(args, threads)
                                                           : workspace_round(threads * query_block_workspace_floats(args)));
}

Status attention(const AttentionArgs& asked, Workspace workspace, ThreadPool* pool) noexcept {
  if (const Status status = check(asked); status != Status::Ok) return status;
  const AttentionArgs given = with_bucket_bias(asked, workspace);
  if (!workspace.sufficed()) return Status::Memory;
  if (given.plans != nullptr) return attend_sparse(given, workspace, pool);
  const AttentionArgs args = clip_queries(given);
  if (!decodes(args)) {
    return for_each_block(args, workspace, pool,
                          [&](const QueryBlock& block, Workspace scratch) { attend_block(args, block, scratch); });
  }
  if (!workspace.holds(decode_workspace_floats(args, threads_of(pool)))) return Status::Memory;
  if (args.query_from < args.query_to) decode(args, workspace, is_short(args) ? nullptr : pool);
  return Status::Ok;
}

Status attention_logits(const AttentionArgs& asked, LogitStage stage, float* logits, Workspace workspace,
                        ThreadPool* pool) noexcept {
  if (const Status status = check(asked); status != Status::Ok) return status;
  AttentionArgs given = with_bucket_bias(asked, workspace);
  if (!workspace.sufficed()) return Status::Memory;
  given.axes.temperature = 1.0f;  // logits are those before it
  if (given.plans != nullptr) return sparse_logits(given, stage, logits, workspace, pool);
  const AttentionArgs args = clip_queries(given);
  return for_each_block(args, workspace, pool,
                        [&](const QueryBlock& block, Workspace scratch) { write_logits(args, block, stage, logits, scratch); });
}

}  // namespace fovea
