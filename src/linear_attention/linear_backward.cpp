#include "linear_attention/linear_backward.hpp"

#include <algorithm>
#include <cmath>

#include "gemm/dense_rows.hpp"
#include "gemm/matmul.hpp"
#include "gemm/transposed_product.hpp"
#include "linear_attention/feature_maps_backward.hpp"
#include "linear_attention/head_features.hpp"
#include "linear_attention/linear_backward_scratch.hpp"
#include "simd/map_onto.hpp"

namespace fovea {
namespace {

MatrixView<const float> transposed(const float* data, std::size_t rows, std::size_t width) noexcept {
  return {data, width, rows, 1, static_cast<std::ptrdiff_t>(width)};
}

/// One key/value head and its query heads, on one thread. Products cannot fail: their sizes agree, and the workspace suffices.
class HeadBackward {
 public:
  HeadBackward(const LinearBackwardArgs& args, std::size_t batch, std::size_t kv_head,
               const LinearBackwardScratch& scratch) noexcept
      : all_(args),
        args_(args.forward),
        b_(batch),
        kv_(kv_head),
        s_(scratch),
        features_(args_.features.count()),
        columns_(args_.value_width + 1),
        length_(args_.length(batch)) {}

  void run() const noexcept {
    if (length_ == 0 || args_.queries == 0) return;
    write_key_features(args_, {b_, kv_, s_.m, s_.z}, s_.keys);
    write_values();
    std::fill_n(s_.d_keys, args_.keys * features_, 0.0f);
    std::fill_n(s_.d_values, args_.keys * columns_, 0.0f);
    std::fill_n(s_.behind, features_ * columns_, 0.0f);
    if (!args_.causal) add_transposed(s_.keys, features_, s_.values, args_.keys, s_.before, /*replaces=*/true);
    for (std::size_t h = kv_ * args_.group(); h < (kv_ + 1) * args_.group(); ++h) {
      write_query_features(args_, {b_, h, s_.m, s_.z}, s_.queries, s_.exponents);
      write_gradients(h);
      args_.causal ? walk_causal() : walk_queries();
      add_queries(h);
    }
    if (!args_.causal) {
      multiply(dense_rows<const float>(s_.values, args_.keys, columns_), transposed(s_.behind, features_, columns_), s_.d_keys);
      multiply(dense_rows<const float>(s_.keys, args_.keys, features_), dense_rows<const float>(s_.behind, features_, columns_),
               s_.d_values);
    }
    add_keys();
  }

 private:
  [[nodiscard]] bool is_softmax() const noexcept { return args_.features.map == FeatureMap::Softmax; }

  void multiply(const MatrixView<const float>& a, const MatrixView<const float>& b, float* c) const noexcept {
    static_cast<void>(matmul(a, b, nullptr, dense_rows(c, a.rows, b.columns), s_.multiply));
  }
  /// sum <- sum + a b
  void add_multiplied(const MatrixView<const float>& a, const MatrixView<const float>& b, float* sum) const noexcept {
    multiply(a, b, s_.product);
    add_onto(sum, a.rows * b.columns, s_.product);
  }
  /// state <- state + Σ rows[t] columns[t]ᵀ
  void add_transposed(const float* rows, std::size_t width, const float* columns, std::size_t count, float* state,
                      bool replaces) const noexcept {
    static_cast<void>(transposed_product(dense_rows(rows, count, width), dense_rows(columns, count, columns_),
                                         dense_rows(state, width, columns_), replaces, s_.multiply));
  }
  void add_transposed_square(const float* pairs, std::size_t count, const float* rows, std::size_t width,
                             float* sums) const noexcept {
    static_cast<void>(transposed_product(dense_rows(pairs, count, count), dense_rows(rows, count, width),
                                         dense_rows(sums, count, width), /*replaces=*/false, s_.multiply));
  }

  /// The values with a 1 behind each; zeros beyond the length.
  void write_values() const noexcept {
    for (std::size_t j = 0; j < length_; ++j) {
      float* const value = s_.values + j * columns_;
      std::copy_n(args_.v.row(b_, kv_, j), args_.value_width, value);
      value[args_.value_width] = 1.0f;
    }
    std::fill(s_.values + length_ * columns_, s_.values + args_.keys * columns_, 0.0f);
  }

  /// u and c of the queries.
  void write_gradients(std::size_t h) const noexcept {
    const HeadsView<const float> d_output = {all_.d_output, args_.output.batch, args_.output.head, args_.output.token};
    std::fill_n(s_.z, features_, 0.0f);
    for (std::size_t j = 0; j < length_ && !args_.causal; ++j) add_onto(s_.z, features_, s_.keys + j * features_);
    for (std::size_t i = 0; i < args_.queries; ++i) {
      if (args_.causal) add_onto(s_.z, features_, s_.keys + i * features_);
      const float *const d = d_output.row(b_, h, i), *const out = args_.output.row(b_, h, i);
      float* const u = s_.u + i * columns_;
      float factor = args_.output_scale * std::exp(s_.exponents[i]);
      u[args_.value_width] = 0.0f;
      if (args_.normalize) {
        const float rest = args_.eps == 0.0f ? 0.0f : args_.eps * std::exp(-s_.exponents[i]);
        const float sum = sum_of_products(s_.queries + i * features_, s_.z, features_) + rest;
        u[args_.value_width] = -sum_of_products(d, out, args_.value_width) / sum;
        factor = args_.output_scale / sum;
      }
      for (std::size_t v = 0; v < args_.value_width; ++v) u[v] = d[v] * factor;
    }
  }

  void walk_queries() const noexcept {
    multiply(dense_rows<const float>(s_.u, args_.queries, columns_), transposed(s_.before, features_, columns_), s_.d_queries);
    add_transposed(s_.queries, features_, s_.u, args_.queries, s_.behind, /*replaces=*/false);
  }

  /// Rows of one chunk.
  struct Chunk {
    std::size_t first, count;
  };
  [[nodiscard]] MatrixView<const float> rows(const float* data, const Chunk& chunk, std::size_t width) const noexcept {
    return dense_rows(data + chunk.first * width, chunk.count, width);
  }
  /// pairs <- a bᵀ of the rows of a chunk, where the key is not behind the query; rows are queries.
  void write_pairs(const float* a, const float* b, const Chunk& chunk, std::size_t width) const noexcept {
    multiply(rows(a, chunk, width), transposed(b + chunk.first * width, chunk.count, width), s_.pairs);
    for (std::size_t i = 0; i < chunk.count; ++i)
      std::fill(s_.pairs + i * chunk.count + i + 1, s_.pairs + (i + 1) * chunk.count, 0.0f);
  }

  void walk_causal() const noexcept {
    const std::size_t tokens = args_.queries, chunks = (tokens + kLinearBackwardChunk - 1) / kLinearBackwardChunk;
    const auto chunk_of = [&](std::size_t n) {
      return Chunk{n * kLinearBackwardChunk, std::min(kLinearBackwardChunk, tokens - n * kLinearBackwardChunk)};
    };
    std::fill_n(s_.before, features_ * columns_, 0.0f);
    std::fill_n(s_.behind, features_ * columns_, 0.0f);
    for (std::size_t n = 0; n < chunks; ++n) {
      const Chunk chunk = chunk_of(n);
      const std::size_t feature = chunk.first * features_, column = chunk.first * columns_;
      multiply(rows(s_.u, chunk, columns_), transposed(s_.before, features_, columns_), s_.d_queries + feature);
      write_pairs(s_.u, s_.values, chunk, columns_);
      add_multiplied(dense_rows<const float>(s_.pairs, chunk.count, chunk.count), rows(s_.keys, chunk, features_),
                     s_.d_queries + feature);
      add_transposed_square(s_.pairs, chunk.count, s_.queries + feature, features_, s_.d_keys + feature);
      write_pairs(s_.queries, s_.keys, chunk, features_);
      add_transposed_square(s_.pairs, chunk.count, s_.u + column, columns_, s_.d_values + column);
      add_transposed(s_.keys + feature, features_, s_.values + column, chunk.count, s_.before, /*replaces=*/false);
    }
    for (std::size_t n = chunks; n-- > 0;) {
      const Chunk chunk = chunk_of(n);
      const std::size_t feature = chunk.first * features_, column = chunk.first * columns_;
      add_multiplied(rows(s_.values, chunk, columns_), transposed(s_.behind, features_, columns_), s_.d_keys + feature);
      add_multiplied(rows(s_.keys, chunk, features_), dense_rows<const float>(s_.behind, features_, columns_),
                     s_.d_values + column);
      add_transposed(s_.queries + feature, features_, s_.u + column, chunk.count, s_.behind, /*replaces=*/false);
    }
  }

  void add_queries(std::size_t h) const noexcept {
    if (all_.d_q == nullptr) return;
    const HeadsView<float> d_q = {all_.d_q, args_.q.batch, args_.q.head, args_.q.token};
    for (std::size_t i = 0; i < args_.queries; ++i) {
      float* const d = s_.d_queries + i * features_;
      const float* const own = s_.queries + i * features_;
      const float mean = is_softmax() ? sum_of_products(own, d, features_) : 0.0f;
      if (are_exponential(args_.features)) {
        map_onto(
            d, features_, [m = simd::splat(mean)](simd::f32 a, simd::f32 p) { return p * (a - m); }, own);
      }
      add_feature_gradient(args_.features, args_.q.row(b_, h, i), args_.query_scale, d, d_q.row(b_, h, i));
    }
  }

  void add_keys() const noexcept {
    const HeadsView<float> d_k = {all_.d_k, args_.k.batch, args_.k.head, args_.k.token},
                           d_v = {all_.d_v, args_.v.batch, args_.v.head, args_.v.token};
    // z <- Σ_j φ(k[j]) dφ(k[j]), the mean that softmax over the keys subtracts; else 0
    std::fill_n(s_.z, features_, 0.0f);
    for (std::size_t j = 0; j < length_ && is_softmax(); ++j) {
      map_onto(
          s_.z, features_, [](simd::f32 sum, simd::f32 p, simd::f32 d) { return sum + p * d; }, s_.keys + j * features_,
          s_.d_keys + j * features_);
    }
    for (std::size_t j = 0; j < length_; ++j) {
      if (all_.d_v != nullptr) add_onto(d_v.row(b_, kv_, j), args_.value_width, s_.d_values + j * columns_);
      if (all_.d_k == nullptr) continue;
      float* const d = s_.d_keys + j * features_;
      if (are_exponential(args_.features)) {
        map_onto(
            d, features_, [](simd::f32 a, simd::f32 p, simd::f32 mean) { return p * (a - mean); }, s_.keys + j * features_,
            s_.z);
      }
      add_feature_gradient(args_.features, args_.k.row(b_, kv_, j), args_.key_scale, d, d_k.row(b_, kv_, j));
    }
  }

  const LinearBackwardArgs& all_;
  const LinearArgs& args_;
  std::size_t b_, kv_;
  const LinearBackwardScratch& s_;
  std::size_t features_, columns_, length_;
};

Status check(const LinearArgs& args) noexcept {
  if (args.width == 0 || args.value_width == 0 || args.kv_heads == 0 || args.heads % args.kv_heads != 0) return Status::Shape;
  if (args.features.width != args.width || (args.causal && args.queries != args.keys)) return Status::Shape;
  const bool is_softmax = args.features.map == FeatureMap::Softmax;
  if (args.rule != UpdateRule::Linear || (is_softmax && (args.causal || args.normalize))) return Status::Value;
  if (args.s != nullptr && !is_softmax) return Status::Value;
  for (std::size_t b = 0; args.key_lengths != nullptr && b < args.batch; ++b) {
    if (args.key_lengths[b] < 0 || static_cast<std::size_t>(args.key_lengths[b]) > args.keys) return Status::Value;
  }
  return Status::Ok;
}

ThreadWorkspaces take_scratch(const LinearArgs& args, std::size_t threads, Workspace& workspace) noexcept {
  return {workspace, threads, [&](Workspace& own) { LinearBackwardScratch(args, own); }};
}

}  // namespace

std::uint64_t linear_backward_workspace_bytes(const LinearBackwardArgs& args, std::size_t threads) noexcept {
  if (check(args.forward) != Status::Ok) return 0;
  return count_bytes([&](Workspace& workspace) { take_scratch(args.forward, threads, workspace); });
}

Status linear_attention_backward(const LinearBackwardArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  const LinearArgs& forward = args.forward;
  if (const Status status = check(forward); status != Status::Ok) return status;
  const ThreadWorkspaces scratch = take_scratch(forward, threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  const bool is_short = is_short_work(forward.batch, forward.heads, forward.queries + forward.keys, forward.features.count(),
                                      forward.value_width);
  // Where heads are one array, its gradients are added in order, by one thread.
  const auto repeats = [](const HeadsView<const float>& x) { return x.batch == 0 || x.head == 0; };
  const bool is_alone = is_short || repeats(forward.q) || repeats(forward.k) || repeats(forward.v);
  parallel_for(is_alone ? nullptr : pool, forward.batch * forward.kv_heads, [&](std::size_t index, std::size_t thread) {
    Workspace own = scratch.of(thread);
    HeadBackward(args, index / forward.kv_heads, index % forward.kv_heads, LinearBackwardScratch(forward, own)).run();
  });
  return Status::Ok;
}

}  // namespace fovea
