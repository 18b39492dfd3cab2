#include "attention/attention.hpp"

#include <algorithm>
#include <cmath>

#include "attention/decode/decode.hpp"
#include "attention/dense/dense.hpp"
#include "attention/score/bucket_bias.hpp"
#include "attention/score/score_products.hpp"
#include "attention/softmax/normalizer.hpp"
#include "attention/sparse/sparse.hpp"

namespace fovea {
namespace {

bool is_valid(const AttentionArgs& args, const KvLayout& store) noexcept {
  if (store.window != kUnbounded && store.window < 1) return false;
  if (store.is_dense_f32()) return true;
  return (store.evicted_rows == 0 || store.first_kept() <= args.keys) &&
         args.k.token == static_cast<std::ptrdiff_t>(args.width) &&
         args.v.token == static_cast<std::ptrdiff_t>(args.value_width);
}

bool is_additive_activation(const ActivationArgs& f) noexcept {
  const bool is_known =
      f.kind == Activation::None || f.kind == Activation::Relu || f.kind == Activation::LeakyRelu || f.kind == Activation::Tanh;
  return is_known && std::isfinite(f.parameter);
}

Status check_variant(const AttentionArgs& args) noexcept {
  const AttentionVariant& variant = args.variant;
  if (variant.score == Score::Additive) {
    if (variant.score_weights == nullptr || !is_additive_activation(variant.score_activation)) return Status::Value;
    if (variant.relative_keys.data != nullptr) return Status::Option;  // They are added to products.
  }
  if (!(variant.temperature > 0.0f) || !std::isfinite(variant.temperature)) return Status::Value;
  const auto& [kind, bias, scaled, k, seed] = variant.normalizer;
  if (kind > kLastNormalizer || !std::isfinite(bias)) return Status::Value;
  if (kind == NormalizerKind::TopK && k == 0) return Status::Value;
  const bool needs_softmax = args.lse != nullptr || args.sinks != nullptr;
  return needs_softmax && kind != NormalizerKind::Softmax ? Status::Option : Status::Ok;
}

Status check(const AttentionArgs& args) noexcept {
  if (const Status status = check_inputs(args); status != Status::Ok) return status;
  if (!std::isfinite(args.scale) || !(args.softcap >= 0.0f) || !std::isfinite(args.softcap)) return Status::Value;
  if (!has_valid_buckets(args) || !is_valid(args, args.kv_layout)) return Status::Value;
  return check_variant(args);
}

/// Whether no result has an element: then there is nothing to do, however many rows or keys there are.
bool has_no_rows(const AttentionArgs& args) noexcept { return args.batch == 0 || args.heads == 0 || args.queries == 0; }
bool has_no_results(const AttentionArgs& args) noexcept {
  const bool has_weights = (args.weights != nullptr && args.keys > 0) || args.sparse_weights.values != nullptr;
  return has_no_rows(args) || (args.value_width == 0 && args.lse == nullptr && !has_weights);
}
bool has_no_logits(const AttentionArgs& args) noexcept { return has_no_rows(args) || args.keys == 0; }

/// The scratch of the paths that attention and logits share.
std::uint64_t path_bytes(const AttentionArgs& args, std::size_t threads) noexcept {
  return count_bytes([&](Workspace& workspace) {
    take_bucket_bias(args, workspace);
    if (args.plans != nullptr) {
      SparseWorkspace(args, threads, workspace);
    } else {
      take_dense_scratch(args, threads, workspace);
    }
  });
}

/// The call with query_from <= query_to <= Tq.
AttentionArgs clip_queries(AttentionArgs args) noexcept {
  args.query_to = std::min(args.query_to, args.queries);
  args.query_from = std::min(args.query_from, args.query_to);
  return args;
}

/// Whether a call goes the way of a few queries. Additive scores of more are cheaper from packed keys; the scores of top-k,
/// sparsemax and entmax must fit into a wave, unless there is one row.
bool decodes(const AttentionArgs& args) noexcept {
  if (args.plans != nullptr) return false;
  if (keeps_scores(args) && args.queries > std::max<std::size_t>(kDecodeScores / std::max<std::size_t>(args.keys, 1), 1))
    return false;
  return args.queries <= (args.variant.score == Score::Additive ? kAdditiveDecodeQueries : kDecodeQueries);
}

}  // namespace

std::uint64_t attention_workspace_bytes(const AttentionArgs& args, std::size_t threads) noexcept {
  if (check(args) != Status::Ok || has_no_results(args)) return 0;
  if (!decodes(args)) return path_bytes(args, threads);
  return count_bytes([&](Workspace& workspace) {
    take_bucket_bias(args, workspace);
    DecodeScratch(args, threads, workspace);
  });
}

std::uint64_t attention_logits_workspace_bytes(const AttentionArgs& args, std::size_t threads) noexcept {
  return check(args) != Status::Ok || has_no_logits(args) ? 0 : path_bytes(args, threads);
}

Status attention(const AttentionArgs& asked, Workspace workspace, ThreadPool* pool) noexcept {
  if (const Status status = check(asked); status != Status::Ok || has_no_results(asked)) return status;
  const AttentionArgs given = with_bucket_bias(asked, workspace);
  if (!workspace.sufficed()) return Status::Memory;
  if (given.plans != nullptr) return attend_sparse(given, workspace, pool);
  const AttentionArgs args = clip_queries(given);
  if (!decodes(args)) return attend_dense(args, workspace, pool);
  const DecodeScratch scratch(args, threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  if (args.query_from < args.query_to) decode(args, scratch, is_short_call(args) ? nullptr : pool);
  return Status::Ok;
}

Status attention_logits(const AttentionArgs& asked, LogitStage stage, float* logits, Workspace workspace,
                        ThreadPool* pool) noexcept {
  if (const Status status = check(asked); status != Status::Ok || has_no_logits(asked)) return status;
  AttentionArgs given = with_bucket_bias(asked, workspace);
  if (!workspace.sufficed()) return Status::Memory;
  given.variant.temperature = 1.0f;  // logits are those before it
  if (given.plans != nullptr) return sparse_logits(given, stage, logits, workspace, pool);
  return dense_logits(clip_queries(given), stage, logits, workspace, pool);
}

}  // namespace fovea
