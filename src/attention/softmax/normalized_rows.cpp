#include "attention/softmax/normalized_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "attention/score/key_rows.hpp"
#include "attention/softmax/normalizer.hpp"
#include "attention/softmax/relative_values.hpp"
#include "attention/softmax/row_results.hpp"
#include "attention/softmax/weight_scale.hpp"
#include "core/infinity.hpp"
#include "gemm/gathered_rows.hpp"
#include "ops/entmax.hpp"
#include "ops/sparsemax.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

constexpr std::size_t kRun = 64;  // rows that gathered_axpy takes at once

/// One row of the results, and where its values come from.
struct Row {
  const AttentionArgs& args;
  std::size_t batch, head, query;

  [[nodiscard]] float* output() const noexcept { return args.output.row(batch, head, query); }
  [[nodiscard]] float* weights() const noexcept { return weights_row(args, batch, head, query); }

  /// A row of the sparse weights; none where the call does not return them.
  [[nodiscard]] std::span<const std::int32_t> listed() const noexcept {
    if (args.sparse_weights.values == nullptr) return {};
    const auto [from, to] = range();
    return {args.sparse_weights.indices + from, to - from};
  }
  [[nodiscard]] std::span<float> values() const noexcept {
    if (args.sparse_weights.values == nullptr) return {};
    const auto [from, to] = range();
    return {args.sparse_weights.values + from, to - from};
  }

  /// A weight of the row, scaled.
  [[nodiscard]] float scaled(float weight, std::size_t key) const noexcept {
    scale_weights(args, batch, head, query, {key, 1}, &weight);
    return weight;
  }

  /// output <- output + weight rV of a key, where values have such rows
  void add_relative_value(std::size_t key, float weight) const noexcept {
    if (args.variant.relative_values.data == nullptr || weight == 0.0f) return;
    fovea::add_relative_value(args, batch, head, query, key, weight, output());
  }

  /// output <- output + Σ_n weights[n] v[keys[n]], count <= kRun
  void add_values(const float* weights, const std::uint32_t* keys, std::size_t count) const noexcept {
    if (args.kv_layout.is_dense_f32()) {
      gathered_axpy(weights, ~std::uint64_t{0}, {args.v.row(batch, kv_head(), 0), args.v.token, keys}, count, args.value_width,
                    output());
      return;
    }
    for (std::size_t n = 0; n < count; ++n) add_row(args.kv_layout, stored_values(), keys[n], weights[n], output());
  }
  [[nodiscard]] StoredRows stored_values() const noexcept { return StoredRows::values(args, batch, kv_head()); }

  /// All of the row is 0, or NaN.
  void fill(float x) const noexcept {
    std::fill_n(output(), args.value_width, x);
    fill_weights(x);
  }
  void fill_weights(float x) const noexcept {
    if (weights() != nullptr) std::fill_n(weights(), args.keys, x);
    std::ranges::fill(values(), x);
  }

 private:
  struct Range {
    std::size_t from, to;
  };
  [[nodiscard]] Range range() const noexcept {
    const std::int32_t* const at = args.sparse_weights.indptr + args.row_index(batch, head, query);
    return {static_cast<std::size_t>(at[0]), static_cast<std::size_t>(at[1])};
  }
  [[nodiscard]] std::size_t kv_head() const noexcept { return head / (args.heads / args.kv_heads); }
};

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

/// x <- by(x)
template <class Transform>
void transform(float* x, std::size_t n, Transform by) noexcept {
  std::size_t c = 0;
  for (; c + f32::size <= n; c += f32::size) store(x + c, by(load(x + c)));
  for (; c < n; ++c) x[c] = by(splat(x[c])).get(0);
}

/// weights[key] <- the score of each of `kept`, whose keys ascend; 0 elsewhere
void write_kept(const Row& row, std::span<const Ranked> kept) noexcept {
  row.fill_weights(0.0f);
  if (float* const weights = row.weights(); weights != nullptr) {
    for (const Ranked& one : kept) weights[one.key] = one.score;
  }
  const auto listed = row.listed();
  auto at = listed.begin();
  for (const Ranked& one : kept) {
    at = std::lower_bound(at, listed.end(), static_cast<std::int32_t>(one.key));
    if (at != listed.end() && *at == static_cast<std::int32_t>(one.key))
      row.values()[static_cast<std::size_t>(at - listed.begin())] = one.score;
  }
}

void write_top_k(const Row& row, RowKind kind, TopKHeap best) noexcept {
  if (kind == RowKind::NonFinite) return row.fill(kNotANumber);
  if (best.count == 0) return row.fill(0.0f);
  softmax_of_heap(best);
  for (Ranked& one : std::span(best.ranked, best.count)) one.score = row.scaled(one.score, one.key);
  std::fill_n(row.output(), row.args.value_width, 0.0f);
  for (std::size_t n = 0; n < best.count; n += kRun) {
    float p[kRun];
    std::uint32_t keys[kRun];
    const std::size_t here = std::min(kRun, best.count - n);
    for (std::size_t i = 0; i < here; ++i) p[i] = best.ranked[n + i].score, keys[i] = best.ranked[n + i].key;
    row.add_values(p, keys, here);
  }
  for (std::size_t n = 0; n < best.count; ++n) row.add_relative_value(best.ranked[n].key, best.ranked[n].score);
  write_kept(row, {best.ranked, best.count});
}

/// The scratch in which one row's list is normalized.
struct ListScratch {
  float* scores;  // [keys], where all of a row's scores are needed at once
  Ranked* kept;   // [top_k_of()], of top-k

  ListScratch(const AttentionArgs& args, Workspace& workspace) noexcept
      : scores(workspace.take<float>(needs_full_row(args) ? args.keys : 0)),
        kept(workspace.take<Ranked>(needs_full_row(args) ? 0 : top_k_of(args))) {}
};

/// Top-k of the row's list of scores.
void normalize_top_k_list(const Row& row, Ranked* kept) noexcept {
  TopKHeap best = {kept, 0};
  float row_max = 0.0f;
  const std::span<float> scores = row.values();
  const RowKind kind = kind_of(scores.data(), scores.size(), row_max);
  for (std::size_t n = 0; kind == RowKind::Finite && n < scores.size(); ++n) {
    if (scores[n] != kMinusInfinity) push(best, top_k_of(row.args), {scores[n], static_cast<std::uint32_t>(row.listed()[n])});
  }
  write_top_k(row, kind, best);
}

}  // namespace

void write_pointwise_row(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query,
                         PointwiseRows sums) noexcept {
  const Row row = {args, batch, head, query};
  const float count = simd::reduce_add(load(sums.count));
  if (std::isnan(count)) return row.fill(kNotANumber);
  if (count == 0.0f) return row.fill(0.0f);
  const Normalizer& normalizer = args.variant.normalizer;
  const f32 divisor = splat(normalizer.kind == NormalizerKind::Relu && normalizer.scaled ? count : 1.0f);
  std::copy_n(sums.o, args.value_width, row.output());
  transform(row.output(), args.value_width, [divisor](f32 sum) { return sum / divisor; });
  const auto weight = [&](f32 score) { return weight_of(normalizer, score) / divisor; };
  if (row.weights() != nullptr) transform(row.weights(), args.keys, weight);
  transform(row.values().data(), row.values().size(), weight);
  scale_row_weights(args, batch, head, query);
}

void write_argmax_row(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query,
                      const ArgmaxState& state) noexcept {
  const Row row = {args, batch, head, query};
  if (state.kind == RowKind::NonFinite) return row.fill(kNotANumber);
  if (state.kind == RowKind::FullyMasked) return row.fill(0.0f);
  const Ranked chosen = {row.scaled(1.0f, state.key), state.key};
  copy_row(args.kv_layout, row.stored_values(), chosen.key, row.output());
  if (args.variant.weight_scale.is_given()) {
    transform(row.output(), args.value_width, [chosen](f32 value) { return splat(chosen.score) * value; });
  }
  row.add_relative_value(chosen.key, chosen.score);
  write_kept(row, {&chosen, 1});
}

void write_top_k_row(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query, RowKind kind,
                     TopKHeap heap) noexcept {
  write_top_k({args, batch, head, query}, kind, heap);
}

void write_top_k_of(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query, const float* scores,
                    Ranked* best) noexcept {
  TopKHeap heap = {best, 0};
  float row_max = 0.0f;
  const RowKind kind = kind_of(scores, args.keys, row_max);
  if (kind == RowKind::Finite) push_all(heap, top_k_of(args), scores, args.keys);
  write_top_k({args, batch, head, query}, kind, heap);
}

RowKind normalize_row(const AttentionArgs& args, float* s, std::size_t n, float* scratch) noexcept {
  return args.variant.normalizer.kind == NormalizerKind::Sparsemax ? sparsemax(s, n, scratch) : entmax15(s, n, scratch);
}

void write_normalized(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query, RowKind kind,
                      const float* weights, const float* o) noexcept {
  const Row row = {args, batch, head, query};
  if (kind != RowKind::Finite) return row.fill(kind == RowKind::FullyMasked ? 0.0f : kNotANumber);
  std::copy_n(o, args.value_width, row.output());
  if (row.weights() != nullptr) std::copy_n(weights, args.keys, row.weights());
  std::ranges::transform(row.listed(), row.values().begin(),
                         [weights](std::int32_t key) { return weights[static_cast<std::size_t>(key)]; });
}

void normalize_list(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query,
                    Workspace workspace) noexcept {
  const Row row = {args, batch, head, query};
  const auto [scratch, kept] = ListScratch(args, workspace);
  if (!needs_full_row(args)) return normalize_top_k_list(row, kept);
  const std::span<float> values = row.values();
  const std::span<const std::int32_t> listed = row.listed();
  const RowKind kind = normalize_row(args, values.data(), values.size(), scratch);
  if (kind != RowKind::Finite) return row.fill(kind == RowKind::FullyMasked ? 0.0f : kNotANumber);

  const auto* const keys = reinterpret_cast<const std::uint32_t*>(listed.data());
  scale_weights(args, batch, head, query, {0, listed.size(), keys}, values.data());
  std::fill_n(row.output(), args.value_width, 0.0f);
  for (std::size_t n = 0; n < values.size(); n += kRun) {
    row.add_values(values.data() + n, keys + n, std::min(kRun, values.size() - n));
  }
  for (std::size_t n = 0; n < values.size(); ++n) row.add_relative_value(static_cast<std::size_t>(listed[n]), values[n]);
  if (float* const weights = row.weights(); weights != nullptr) {
    std::fill_n(weights, args.keys, 0.0f);
    for (std::size_t n = 0; n < values.size(); ++n) weights[listed[n]] = values[n];
  }
}

std::uint64_t list_workspace_bytes(const AttentionArgs& args) noexcept {
  return count_bytes([&](Workspace& workspace) { ListScratch(args, workspace); });
}

}  // namespace fovea
