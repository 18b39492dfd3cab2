#pragma once
/// Feature maps of linear attention: φ(x) for rows of queries or keys, x <- scale * x first.
///   identity    x                                     elu1   x + 1 where x > 0, else exp(x)     (arXiv:2006.16236, eq. 7)
///   relu        max(x, 0)                             squaredRelu  max(x, 0)²                   (arXiv:2109.08668)
///   exp         exp(x - m)
///   taylor      (1, x, vec(x xᵀ) / √2): φ(q)·φ(k) = 1 + q·k + (q·k)²/2                          (arXiv:2402.18668, §3.2)
///   favor       exp(w_f · x - |x|²/2 - m) / √F, w [F, D] given                                  (arXiv:2009.14794, eq. 7)
///   softmax     of a query: softmax(x); of a key: exp(x[f] - m[f]), where m[f] is the highest of all keys   (arXiv:1812.01243)
/// m, the stabilizer of exp and favor, is chosen by the caller, who divides by exp(m) or multiplies it back.
/// Shapes: rows of width D in, rows of feature_count() out, `stride` apart.   NaN in gives NaN out.

#include <cstddef>
#include <cstdint>

namespace fovea {

enum class FeatureMap : std::uint32_t { Identity, Elu1, Relu, SquaredRelu, Exp, Taylor, Favor, Softmax };

struct Features {
  FeatureMap map = FeatureMap::Identity;
  std::size_t width = 0;              // D
  std::size_t random = 0;             // F of Favor
  const float* projection = nullptr;  // [F, D] of Favor

  [[nodiscard]] std::size_t count() const noexcept;
  /// Whether what write_features writes are exponents, to be shifted by m and exponentiated.
  [[nodiscard]] bool is_stabilized() const noexcept { return map == FeatureMap::Exp || map == FeatureMap::Favor; }
  /// 1/√F of Favor, 1 of others: what exponentiate_features multiplies by.
  [[nodiscard]] float weight() const noexcept;
};

/// φ(scale x) of one row, or its exponents. `out` is not x.
void write_features(const Features& features, const float* x, float scale, float* out) noexcept;

/// Maps `rows` rows, `stride` apart, to rows `out_stride` apart.
void write_features(const Features& features, const float* x, std::ptrdiff_t stride, std::size_t rows, float scale, float* out,
                    std::size_t out_stride) noexcept;

/// x <- weight * exp(x - m) of `count` exponents
void exponentiate_features(float* x, std::size_t count, float m, float weight) noexcept;

/// x[f] <- weight * exp(x[f] - m[f]): each feature with a stabilizer of its own
void exponentiate_features(float* x, std::size_t count, const float* m, float weight) noexcept;

/// The features of `rows` rows, `stride` apart, one after another to `out`: those of queries, each row with a stabilizer of its
/// own (softmax: over its width), or of keys, which share one (softmax: over the rows).
void write_feature_rows(const Features& features, const float* x, std::ptrdiff_t stride, std::size_t rows, float scale,
                        bool keys, float* out) noexcept;

/// out <- a + b
void add_vectors(const float* a, const float* b, std::size_t count, float* out) noexcept;

/// m[f] <- max(m[f], x[f]); a NaN in x is left out
void raise_stabilizers(const float* x, std::size_t count, float* m) noexcept;

/// x <- softmax(x)
void softmax_features(float* x, std::size_t count) noexcept;

/// Σ a[d] b[d], in four sums
[[nodiscard]] float sum_of_products(const float* a, const float* b, std::size_t count) noexcept;

/// The highest of `count` >= 1 numbers; what a NaN does is not said.
[[nodiscard]] float max_of(const float* x, std::size_t count) noexcept;

}  // namespace fovea
