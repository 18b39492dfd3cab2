#include "attention/backward/attention_backward.hpp"

#include <algorithm>

#include "attention/backward/dense_backward.hpp"
#include "attention/backward/pair_sums.hpp"
#include "attention/backward/pattern_backward.hpp"
#include "attention/score/bucket_bias.hpp"
#include "attention/softmax/normalizer.hpp"

namespace fovea {
namespace {

/// Whether the gradient of the call's options is known.
bool has_gradient(const AttentionArgs& forward) noexcept {
  return forward.kv_layout.is_dense_f32() && forward.kv_layout.window == kUnbounded &&
         (sums_values(forward) || (keeps_scores(forward) && forward.plans == nullptr));
}

/// Whether each gradient beside those of q, k and v is of an array that the call has.
bool has_arrays(const AttentionBackwardArgs& args) noexcept {
  const AttentionArgs& forward = args.forward;
  const AttentionVariant& variant = forward.variant;
  const auto is_of = [](const float* gradient, const float* array) { return gradient == nullptr || array != nullptr; };
  return is_of(args.d_float_mask, forward.float_mask.data) && is_of(args.d_key_float_mask, forward.key_float_mask.data) &&
         is_of(args.d_pair_bias, variant.pair_bias.data) && is_of(args.d_relative_bias, variant.relative_bias.data) &&
         is_of(args.d_bucket_table, variant.buckets.data) && is_of(args.d_relative_keys, variant.relative_keys.data) &&
         is_of(args.d_relative_values, variant.relative_values.data) &&
         is_of(args.d_weight_scale, variant.weight_scale.pairs.data) && is_of(args.d_sinks, forward.sinks) &&
         is_of(args.d_score_weights, variant.score_weights) && is_of(args.d_edge_biases, variant.edge_biases.data) &&
         is_of(args.d_sparse_weights, forward.sparse_weights.values);
}

Status check(const AttentionBackwardArgs& args) noexcept {
  if (const Status status = check_inputs(args.forward); status != Status::Ok) return status;
  if (!has_valid_buckets(args.forward)) return Status::Value;
  const bool needs_lse = args.forward.variant.normalizer.kind == NormalizerKind::Softmax;
  if (!has_gradient(args.forward) || (needs_lse && args.lse == nullptr)) return Status::Option;
  if (!needs_lse && args.d_lse != nullptr) return Status::Option;
  if (args.d_weights != nullptr && args.forward.weights == nullptr) return Status::Option;
  return has_arrays(args) ? Status::Ok : Status::Value;
}

bool has_no_gradients(const AttentionBackwardArgs& args) noexcept {
  const AttentionArgs& forward = args.forward;
  const bool has_no_pairs = forward.batch == 0 || forward.heads == 0 || forward.queries == 0 || forward.keys == 0;
  const bool depends =
      args.d_output.data != nullptr || args.d_weights != nullptr || args.d_lse != nullptr || args.d_sparse_weights != nullptr;
  const bool is_wanted = args.d_q.data != nullptr || args.d_k.data != nullptr || args.d_v.data != nullptr ||
                         args.d_sinks != nullptr || wants_pair_sums(args);
  return has_no_pairs || !depends || !is_wanted;
}

}  // namespace

std::uint64_t attention_backward_workspace_bytes(const AttentionBackwardArgs& args, std::size_t threads) noexcept {
  if (check(args) != Status::Ok || has_no_gradients(args)) return 0;
  return count_bytes([&](Workspace& workspace) {
    take_bucket_bias(args.forward, workspace);
    BackwardWorkspace(args, threads, workspace);
  });
}

Status attention_backward(const AttentionBackwardArgs& asked, Workspace workspace, ThreadPool* pool) noexcept {
  if (const Status status = check(asked); status != Status::Ok || has_no_gradients(asked)) return status;
  AttentionBackwardArgs args = asked;
  args.forward = with_bucket_bias(asked.forward, workspace);
  args.forward.query_to = std::min(args.forward.query_to, args.forward.queries);
  args.forward.query_from = std::min(args.forward.query_from, args.forward.query_to);
  const BackwardWorkspace scratch(args, threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  args.forward.plans != nullptr ? pattern_backward(args, scratch, pool) : dense_backward(args, scratch, pool);
  return Status::Ok;
}

}  // namespace fovea
