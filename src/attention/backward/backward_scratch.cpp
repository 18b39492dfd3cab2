#include "attention/backward/backward_scratch.hpp"

#include <algorithm>
#include <utility>

#include "attention/score/bucket_bias.hpp"

namespace fovea {
namespace {

template <class T>
bool is_shared(const HeadsView<T>& gradient, std::size_t batch, std::size_t heads) noexcept {
  return gradient.data != nullptr && ((batch > 1 && gradient.batch == 0) || (heads > 1 && gradient.head == 0));
}

/// One for each index, in their order.
template <class Packed, std::size_t... kIndices>
std::array<Packed, sizeof...(kIndices)> make_blocks(const AttentionBackwardArgs& args, Workspace& workspace,
                                                    std::index_sequence<kIndices...>) noexcept {
  return {(static_cast<void>(kIndices), Packed(args, workspace))...};
}

}  // namespace

BackwardScratch::BackwardScratch(const AttentionBackwardArgs& args, Workspace& workspace) noexcept
    : pairs(args, workspace),
      sums(args, workspace),
      whole(args, workspace),
      queries(make_blocks<PackedQueries>(args, workspace, std::make_index_sequence<kBlocksTogether>{})),
      keys(make_blocks<PackedKeys>(args, workspace, std::make_index_sequence<kTilesTogether>{})) {}

BackwardWorkspace::BackwardWorkspace(const AttentionBackwardArgs& args, std::size_t count, Workspace& workspace) noexcept
    : rows(args, workspace),
      by_bucket(args.d_bucket_table != nullptr ? take_bucket_bias(args.forward, workspace) : nullptr),
      threads(workspace, count, [&](Workspace& own) { BackwardScratch(args, own); }) {}

bool shares_gradients(const AttentionBackwardArgs& args) noexcept {
  const AttentionArgs& forward = args.forward;
  return is_shared(args.d_q, forward.batch, forward.heads) || is_shared(args.d_k, forward.batch, forward.kv_heads) ||
         is_shared(args.d_v, forward.batch, forward.kv_heads);
}

WantedGradients wanted_of(const AttentionBackwardArgs& args) noexcept {
  return {args.d_q.data != nullptr, args.d_k.data != nullptr, args.d_v.data != nullptr, wants_pair_sums(args)};
}

void add_to_sinks(const AttentionBackwardArgs& args, ThreadPool* pool) noexcept {
  if (args.d_sinks == nullptr) return;
  parallel_for(pool, args.forward.heads, [&](std::size_t head, std::size_t) { add_to_sink(args, head); });
}

void begin_buckets(const AttentionBackwardArgs& args, const BackwardWorkspace& workspace) noexcept {
  if (args.d_bucket_table == nullptr) return;
  std::fill_n(workspace.by_bucket, args.forward.heads * args.forward.variant.bucket_bias.distances(), 0.0f);
}

void end_buckets(const AttentionBackwardArgs& args, const BackwardWorkspace& workspace) noexcept {
  if (args.d_bucket_table != nullptr) add_by_bucket(args.forward, workspace.by_bucket, args.d_bucket_table);
}

}  // namespace fovea
