#pragma once
/// Linear attention as it is defined, token by token; S with a last column, that of v = 1, which is z.
///   S <- a S + β φ(k) (v - (a S)ᵀ φ(k))ᵀ      a = exp(g) of gated rules, else 1; β and what follows - of delta rules only
///   out = output_scale φ(q)ᵀ S / (φ(q) · z + eps), or without the quotient            (arXiv:2006.16236; ONNX LinearAttention)
///   Softmax: S = softmax over the keys (K)ᵀ V, out = softmax over the width (q) S                          (arXiv:1812.01243)
/// LinearRef<double> takes exponentials as they are. In float32 that would overflow: there, exponents are relative to the
/// highest of their feature so far. LinearTruth also follows what an eps of rounding at every step may move S by.

#include "linear_attention/linear_attention.hpp"
#include "reference/feature_maps.hpp"

namespace fovea::test {

/// The state of a call, as the caller holds it.
struct LinearState {
  std::vector<float> s, z, m;
};

template <class Real>
struct LinearRef {
  static constexpr bool kShifts = std::is_same_v<Real, float>;

  const LinearArgs& args;
  std::size_t batch, head;
  std::size_t features = args.features.count(), columns = args.value_width + 1;
  bool stabilized = args.features.is_stabilized();
  Real weight = args.features.map == FeatureMap::Favor ? 1 / std::sqrt(static_cast<Real>(features)) : 1;
  std::vector<Real> m = std::vector<Real>(features, kShifts&& stabilized ? -std::numeric_limits<Real>::infinity() : 0);
  std::vector<Real> s = std::vector<Real>(features * columns), u = std::vector<Real>(columns), expected = u;
  FeaturesRef<Real> k = {};
  std::vector<Real> decay = std::vector<Real>(features, Real{1});

  void begin(const LinearState& start) {
    const std::size_t at = batch * args.kv_heads + head;
    for (std::size_t f = 0; f < features; ++f) {
      const Real shift = stabilized ? static_cast<Real>(start.m[at * features + f]) : 0;
      if (kShifts && stabilized) m[f] = shift;
      const Real factor = kShifts || !stabilized ? 1 : std::exp(shift);
      for (std::size_t c = 0; c + 1 < columns; ++c) {
        s[f * columns + c] = factor * static_cast<Real>(start.s[(at * features + f) * args.value_width + c]);
      }
      if (args.normalize) s[f * columns + columns - 1] = factor * static_cast<Real>(start.z[at * features + f]);
    }
  }

  /// k <- φ(k[t])
  void take_key(std::size_t token) {
    k = features_ref<Real>(args.features, args.k.row(batch, head, token), args.key_scale);
    if (!stabilized) return;
    for (std::size_t f = 0; f < features; ++f) {
      Real& x = k.value[f];
      if (kShifts && x > m[f]) {
        for (std::size_t c = 0; c < columns; ++c) s[f * columns + c] *= std::exp(m[f] - x);
        m[f] = x;
      }
      x = weight * std::exp(x - m[f]);
    }
  }

  void apply_decay(std::size_t token) {
    if (!args.is_gated()) return;
    const float* const g = args.decay.row(batch, head, token);
    for (std::size_t f = 0; f < features; ++f) {
      decay[f] = std::exp(static_cast<Real>(args.decay_width == 1 ? g[0] : g[f]));
      for (std::size_t c = 0; c < columns; ++c) s[f * columns + c] *= decay[f];
    }
  }

  /// u <- what is added for this key: v, or β (v - Sᵀ k)
  void take_value(std::size_t token) {
    const float* const v = args.v.row(batch, head, token);
    for (std::size_t c = 0; c < columns; ++c) u[c] = c + 1 < columns ? static_cast<Real>(v[c]) : 1;
    if (!args.is_delta()) return;
    std::fill(expected.begin(), expected.end(), Real{0});
    for (std::size_t f = 0; f < features; ++f) {
      // In double: exp(2 m) may be infinite in float32 where nothing is expected.
      const double factor = std::exp(2 * static_cast<double>(m[f]));
      for (std::size_t c = 0; c < columns; ++c) {
        const Real product = k.value[f] * s[f * columns + c];
        expected[c] += m[f] == 0 ? product : static_cast<Real>(factor * static_cast<double>(product));
      }
    }
    const auto beta = static_cast<Real>(*args.beta.row(batch, head, token));
    for (std::size_t c = 0; c < columns; ++c) {
      u[c] = beta * (u[c] - expected[c]);
    }
  }

  void update() {
    for (std::size_t f = 0; f < features; ++f)
      for (std::size_t c = 0; c < columns; ++c) s[f * columns + c] += k.value[f] * u[c];
  }

  void add(std::size_t token) {
    take_key(token);
    apply_decay(token);
    take_value(token);
    update();
  }

  /// Softmax: all keys at once; `visit(j, f, share of key j in feature f)`.
  template <class Visit>
  void add_columns(std::size_t length, Visit visit) {
    std::vector<std::vector<Real>> x;
    for (std::size_t j = 0; j < length; ++j) {
      x.push_back(features_ref<Real>(args.features, args.k.row(batch, head, j), args.key_scale).value);
    }
    for (std::size_t f = 0; f < features; ++f) {
      Real top = -std::numeric_limits<Real>::infinity(), sum = 0;
      for (const auto& row : x) top = std::max(top, row[f]);
      for (const auto& row : x) sum += std::exp(row[f] - top);
      for (std::size_t j = 0; j < length; ++j) {
        const Real share = std::exp(x[j][f] - top) / sum;
        for (std::size_t c = 0; c + 1 < columns; ++c) {
          s[f * columns + c] += share * static_cast<Real>(args.v.row(batch, head, j)[c]);
        }
        visit(j, f, share, top - x[j][f]);
      }
    }
  }

  /// φ(q[i]); returns what its exponents were shifted by.
  Real take_query(std::size_t query_head, std::size_t token, FeaturesRef<Real>& q) const {
    q = features_ref<Real>(args.features, args.q.row(batch, query_head, token), args.query_scale);
    const bool softmax = args.features.map == FeatureMap::Softmax;
    if (!stabilized && !softmax) return 0;
    for (std::size_t f = 0; !softmax && f < features; ++f) q.value[f] += m[f];
    const Real top = kShifts || softmax ? *std::max_element(q.value.begin(), q.value.end()) : 0;
    Real sum = 0;
    for (Real& x : q.value) sum += x = weight * std::exp(x - top);
    if (!softmax) return top;
    for (Real& x : q.value) x /= sum;
    return 0;
  }

  /// φ(q)ᵀ S, with z's column, of a query that was taken.
  std::vector<Real> products(const FeaturesRef<Real>& q) const {
    std::vector<Real> o(columns);
    for (std::size_t f = 0; f < features; ++f)
      for (std::size_t c = 0; c < columns; ++c) o[c] += q.value[f] * s[f * columns + c];
    return o;
  }

  void write(const std::vector<Real>& o, Real exponent, Real* out) const {
    const auto scale = static_cast<Real>(args.output_scale), eps = static_cast<Real>(args.eps);
    for (std::size_t c = 0; c + 1 < columns; ++c) {
      if (args.normalize) {
        out[c] = scale * o[c] / (o[columns - 1] + (eps == 0 ? 0 : eps * std::exp(-exponent)));
      } else {
        out[c] = scale * o[c] * std::exp(exponent);
      }
    }
  }
};

}  // namespace fovea::test
