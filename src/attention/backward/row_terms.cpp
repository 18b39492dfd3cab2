#include "attention/backward/row_terms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/backward/pair_sums.hpp"
#include "attention/softmax/normalizer.hpp"
#include "core/infinity.hpp"
#include "gemm/dot.hpp"
#include "gemm/panels.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

/// Beyond it an lse is rounded by more than 8 eps of a weight.
constexpr float kLargeLse = 16.0f;
/// exp of it is far from overflow.
constexpr float kFarSink = 80.0f;

std::size_t rows_of(const AttentionBackwardArgs& args) noexcept {
  return clamped_count(saturated_product(args.forward.batch, args.forward.heads, args.forward.queries));
}

std::size_t whole_rows_of(const AttentionBackwardArgs& args) noexcept { return keeps_scores(args.forward) ? rows_of(args) : 0; }

/// Σ_j w[j] d_w[j]; what stands beside a weight of 0 is not read.
double dot_of_weights(const float* weights, const float* gradients, std::size_t count) noexcept {
  double sum = 0;
  for (std::size_t j = 0; j < count; ++j) {
    if (weights[j] != 0.0f) sum += static_cast<double>(weights[j]) * static_cast<double>(gradients[j]);
  }
  return sum;
}

bool is_softmax(const AttentionBackwardArgs& args) noexcept {
  return args.forward.variant.normalizer.kind == NormalizerKind::Softmax;
}

/// 0 for a row without a key, NaN for one with a NaN or +inf among its scores.
float pointwise_weight(const Normalizer& normalizer, double keys) noexcept {
  if (keys == 0.0 || std::isnan(keys)) return static_cast<float>(keys);
  return normalizer.kind == NormalizerKind::Relu && normalizer.scaled ? 1.0f / static_cast<float>(keys) : 1.0f;
}

/// The share of exp(own) beside exp(other): 1 / (1 + exp(other - own))
float share_beside(float own, float other) noexcept {
  if (other == kMinusInfinity) return 1.0f;
  const float beyond = other - own;
  return beyond > kFarSink ? simd::exp(-beyond) : 1.0f / (1.0f + simd::exp(beyond));
}

}  // namespace

double mean_gradient(const AttentionBackwardArgs& args, const HeadIndex& at, std::size_t query) noexcept {
  const AttentionArgs& forward = args.forward;
  double sum = 0;
  if (args.d_output.data != nullptr) {
    sum = dot_in_double(args.d_output.row(at.batch, at.head, query), forward.output.row(at.batch, at.head, query),
                        forward.value_width);
  }
  const std::size_t row = forward.row_index(at.batch, at.head, query), first = row * forward.keys;
  if (args.d_weights != nullptr) sum += dot_of_weights(forward.weights + first, args.d_weights + first, forward.keys);
  if (args.d_sparse_weights != nullptr) {
    const auto& [indptr, indices, values] = forward.sparse_weights;
    const auto from = static_cast<std::size_t>(indptr[row]), to = static_cast<std::size_t>(indptr[row + 1]);
    sum += dot_of_weights(values + from, args.d_sparse_weights + from, to - from);
  }
  return sum;
}

RowTerms::RowTerms(const AttentionBackwardArgs& args, Workspace& workspace) noexcept
    : weight(workspace.take<float>(rows_of(args))),
      offset(workspace.take<float>(rows_of(args))),
      shift(workspace.take<float>(whole_rows_of(args))),
      threshold(workspace.take<float>(whole_rows_of(args))),
      last_key(workspace.take<std::uint32_t>(whole_rows_of(args))) {}

void RowTerms::write(const AttentionBackwardArgs& args, const QueryBlock& block, const double* sums) const noexcept {
  const AttentionArgs& forward = args.forward;
  for (std::size_t i = 0; i < block.count; ++i) {
    const std::size_t query = block.first + i, row = forward.row_index(block.batch, block.head, query);
    if (!is_softmax(args)) {
      weight[row] = pointwise_weight(forward.variant.normalizer, sums[i]);
      offset[row] = 0.0f;
      continue;
    }
    const float lse = args.lse[row];
    if (lse == kMinusInfinity) {
      weight[row] = offset[row] = 0.0f;
      continue;
    }
    // A row with a logit of NaN or +inf is NaN.
    if (!std::isfinite(lse)) {
      weight[row] = offset[row] = std::numeric_limits<float>::quiet_NaN();
      continue;
    }
    const double whole = !needs_sum(args, row) ? 1.0 : 1.0 / sums[i];
    const float share = forward.sinks == nullptr ? 1.0f : share_beside(lse, forward.sinks[block.head]);
    weight[row] = static_cast<float>(whole) * share;
    const double of_lse = args.d_lse == nullptr ? 0.0 : whole * static_cast<double>(args.d_lse[row]);
    offset[row] = static_cast<float>(of_lse - static_cast<double>(weight[row]) * mean_gradient(args, block, query));
  }
}

bool needs_sum(const AttentionBackwardArgs& args, std::size_t row) noexcept {
  if (!is_softmax(args)) return true;
  return std::abs(args.lse[row]) > kLargeLse && std::isfinite(args.lse[row]);
}

bool is_scaled_only(const AttentionBackwardArgs& args) noexcept {
  return !(args.forward.softcap > 0.0f) && !wants_pair_sums(args);
}

void add_to_sink(const AttentionBackwardArgs& args, std::size_t head) noexcept {
  const AttentionArgs& forward = args.forward;
  const float sink = forward.sinks[head];
  double sum = 0;
  for (std::size_t b = 0; b < forward.batch && sink != kMinusInfinity; ++b) {
    for (std::size_t i = forward.query_from; i < forward.query_to; ++i) {
      const float lse = args.lse[forward.row_index(b, head, i)];
      if (lse == kMinusInfinity) continue;
      sum += static_cast<double>(share_beside(sink, lse)) * mean_gradient(args, {b, head, 0}, i);
    }
  }
  args.d_sinks[head] -= static_cast<float>(sum);
}

BlockTerms::BlockTerms(Workspace& workspace, std::size_t rows) noexcept
    : shift(workspace.take<float>(rows)),
      weight(workspace.take<float>(rows)),
      factor(workspace.take<float>(rows)),
      offset(workspace.take<float>(rows)),
      threshold(workspace.take<float>(rows)),
      last_key(workspace.take<std::uint32_t>(rows)) {}

void BlockTerms::set(const AttentionBackwardArgs& args, const RowTerms& rows, const HeadIndex& head,
                     const TokenList& queries) noexcept {
  const AttentionArgs& forward = args.forward;
  const float by = (is_scaled_only(args) ? forward.scale : 1.0f) / forward.variant.temperature;
  has_empty = false;
  for (std::size_t i = 0; i < round_up(queries.count, kMr); ++i) {
    shift[i] = weight[i] = factor[i] = offset[i] = threshold[i] = 0.0f;
    last_key[i] = 0;
    if (i >= queries.count) continue;
    const std::size_t row = forward.row_index(head.batch, head.head, queries.at(i));
    if (is_softmax(args) && args.lse[row] != kMinusInfinity) shift[i] = args.lse[row];
    if (keeps_scores(forward)) {
      shift[i] = rows.shift[row];
      threshold[i] = rows.threshold[row];
      last_key[i] = rows.last_key[row];
    }
    weight[i] = rows.weight[row];
    factor[i] = rows.weight[row] * by;
    offset[i] = rows.offset[row] * by;
    has_empty = has_empty || is_empty(i);
  }
}

}  // namespace fovea
