#pragma once
/// Normalizers as they are defined, one row at a time: s are its logits, divided by the temperature; -inf counts as forbidden.
///   relu       w[j] = max(s[j], 0) / n, or undivided; n = the number of allowed keys          (arXiv:2309.08586 §3)
///   sigmoid    w[j] = 1 / (1 + exp(-(s[j] + bias)))                                           (arXiv:2409.04431 eq. 3)
///   sparsemax  w = the nearest point of the simplex: max(s - τ, 0) with Σ w = 1               (arXiv:1602.02068 eq. 2)
///   entmax15   w = max(s/2 - τ, 0)² with Σ w = 1                                              (arXiv:1905.05702 eq. 10)
///   hard, sampled, top-k   softmax over the 1, 1 or k keys that rank first by s, s + g or s; of equals the lower key
///   g[j] = -ln(-ln u), u = the uniform of word 0 of Philox(seed; j, p(i), b H + h, stream 1)
/// τ is found by bisection, which the kernels know nothing of.

#include <numeric>

#include "attention/attention.hpp"
#include "core/random.hpp"
#include "reference/biases.hpp"
#include "reference/weight_scale.hpp"
#include "support/tolerance.hpp"

namespace fovea::test {

/// The logits of one query, and what each of them is made of: the sum of the absolute values of its terms.
template <class Real>
struct LogitRow {
  std::vector<Real> raw, capped, biased, terms, raw_terms;
  std::vector<bool> allowed;
};

template <class Real>
LogitRow<Real> cooled(LogitRow<Real> row, float temperature) {
  if (temperature == 1) return row;
  for (std::size_t j = 0; j < row.biased.size(); ++j) {
    // Finite logits stay finite: in double as they are, in float32 as the lowest.
    const bool finite = std::isfinite(row.biased[j]);
    row.biased[j] /= static_cast<Real>(temperature);
    if (finite && row.biased[j] < 0) row.biased[j] = std::max(row.biased[j], std::numeric_limits<Real>::lowest());
    row.terms[j] = row.terms[j] / static_cast<Real>(temperature) + std::abs(finite ? row.biased[j] : Real{0});
  }
  return row;
}

inline bool weighs_in_float(NormalizerKind kind) {
  return kind == NormalizerKind::Relu || kind == NormalizerKind::Sigmoid || kind == NormalizerKind::Sparsemax ||
         kind == NormalizerKind::Entmax15;
}

/// τ with Σ weight(s - τ) = 1, which falls from `low` to `high`.
template <class Real, class Weight>
Real threshold_ref(const std::vector<Real>& s, Real low, Real high, Weight weight) {
  for (int step = 0; step < 200; ++step) {
    const Real middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;  // no number lies between them
    Real sum = 0;
    for (const Real one : s) sum += weight(one - middle);
    (sum > 1 ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

/// weights <- those of the row, NaN throughout for a NaN or +inf, 0 where nothing is allowed.
template <class Real>
void weigh_ref(const AttentionArgs& args, const LogitRow<Real>& row, std::vector<Real>& weights) {
  constexpr Real kNone = -std::numeric_limits<Real>::infinity();
  const Normalizer& normalizer = args.variant.normalizer;
  std::vector<Real> s;
  std::vector<std::size_t> keys;
  bool broken = false;
  for (std::size_t j = 0; j < args.keys; ++j) {
    if (!row.allowed[j] || row.biased[j] == kNone) continue;
    broken = broken || !std::isfinite(row.biased[j]);
    s.push_back(row.biased[j]);
    keys.push_back(j);
  }
  std::fill(weights.begin(), weights.end(), broken ? std::numeric_limits<Real>::quiet_NaN() : Real{0});
  if (broken || s.empty()) return;
  const Real m = *std::max_element(s.begin(), s.end());
  // Counted from the highest, so that τ has no digits to lose.
  std::vector<Real> from_highest = s;
  for (Real& one : from_highest) one -= m;
  const auto linear = [](Real x) { return std::max(x, Real{0}); };
  const auto square = [](Real x) { return x > 0 ? x * x : Real{0}; };
  Real threshold = 0;
  if (normalizer.kind == NormalizerKind::Sparsemax) threshold = threshold_ref(from_highest, Real{-1}, Real{0}, linear);
  if (normalizer.kind == NormalizerKind::Entmax15) {
    for (Real& one : from_highest) one /= 2;
    threshold = threshold_ref(from_highest, Real{-1}, Real{0}, square);
  }
  for (std::size_t n = 0; n < s.size(); ++n) {
    Real& weight = weights[keys[n]];
    switch (normalizer.kind) {
      case NormalizerKind::Relu:
        weight = std::max(s[n], Real{0}) / (normalizer.scaled ? static_cast<Real>(s.size()) : Real{1});
        break;
      case NormalizerKind::Sigmoid: weight = 1 / (1 + std::exp(-(s[n] + static_cast<Real>(normalizer.bias)))); break;
      case NormalizerKind::Sparsemax: weight = linear(from_highest[n] - threshold); break;
      default: weight = square(from_highest[n] - threshold);
    }
  }
}

/// output <- Σ_j weights[j] f[j] v[j] over the allowed keys, f the weight scale
template <class Real>
void sum_values_ref(const AttentionArgs& args, const LogitRow<Real>& row, std::size_t b, std::size_t h, std::size_t i,
                    const std::vector<Real>& weights, std::vector<Real>& output) {
  const std::size_t kv_head = h / (args.heads / args.kv_heads);
  const bool broken = !weights.empty() && std::isnan(weights[0]);
  std::fill(output.begin(), output.end(), broken ? std::numeric_limits<Real>::quiet_NaN() : Real{0});
  const bool empty = std::none_of(row.biased.begin(), row.biased.end(), [](Real s) { return s != -INFINITY; });
  for (std::size_t j = 0; j < args.keys && !broken && !empty; ++j) {
    if (!row.allowed[j]) continue;
    const float* v = args.v.row(b, kv_head, j);
    const float* const relative = relative_row(args, args.variant.relative_values, args.value_width, b, h, i, j);
    const Real weight = scaled_ref(args, b, h, i, j, weights[j]);
    for (std::size_t d = 0; d < args.value_width; ++d) {
      output[d] += weight * (static_cast<Real>(v[d]) + (relative == nullptr ? 0 : static_cast<Real>(relative[d])));
    }
  }
}

/// How far each weight moves, per eps, when each logit s[j] does by a[j] = Σ|terms| + |s[j]|, and what its own operations add;
/// of the outputs Σ_j of that times |v[j]|; all of it times the factor of a weight scale.
///   relu  a/n + w       sigmoid  w (1 - w) a + w       sparsemax  a + mean of a over the support + w
///   entmax15  with t = sqrt(w), |dτ| = Σ t a/2 / Σ t:  2 t (a/2 + |dτ|) + w, and where t is small the square of the shift
inline void normalizer_condition(const AttentionArgs& args, const LogitRow<double>& row, std::size_t b, std::size_t h,
                                 std::size_t i, const std::vector<double>& weights, Oracle& weights_oracle,
                                 Oracle& output_oracle) {
  constexpr auto kSmallest = static_cast<double>(std::numeric_limits<float>::min());
  const Normalizer& normalizer = args.variant.normalizer;
  const std::size_t kv_head = h / (args.heads / args.kv_heads);
  const auto lives = [&](std::size_t j) { return row.allowed[j] && std::isfinite(row.biased[j]) && std::isfinite(weights[j]); };
  const auto moves = [&](std::size_t j) { return row.terms[j] + std::abs(row.biased[j]); };
  double keys = 0, support = 0, of_support = 0, roots = 0, of_roots = 0;
  for (std::size_t j = 0; j < args.keys; ++j) {
    if (!lives(j)) continue;
    ++keys;
    if (weights[j] <= 0) continue;
    ++support;
    of_support += moves(j);
    roots += std::sqrt(weights[j]);
    of_roots += std::sqrt(weights[j]) * moves(j) / 2;
  }
  std::vector<double> scale(args.value_width), floor(args.value_width);
  for (std::size_t j = 0; j < args.keys; ++j) {
    double own = 0, rest = kSmallest;
    if (lives(j)) {
      const double w = weights[j], a = moves(j);
      switch (normalizer.kind) {
        case NormalizerKind::Relu: own = (normalizer.scaled ? a / keys : a) + w; break;
        case NormalizerKind::Sigmoid: own = w * (1 - w) * (a + std::abs(static_cast<double>(normalizer.bias)) + 1) + w; break;
        case NormalizerKind::Sparsemax: own = a + of_support / support + w; break;
        default: {
          const double shift = a / 2 + of_roots / roots;
          own = 2 * std::sqrt(w) * shift + w;
          rest += std::pow(kToleranceFactor * static_cast<double>(kEpsilon) * shift, 2);
        }
      }
      const bool far = normalizer.kind == NormalizerKind::Relu && row.biased[j] < -a * 1e-5;
      if (far) own = 0;
      const ScaleCondition scaling(args, b, h, i, j);
      own = scaling.factor * (own + scaling.moves * w);
      rest *= std::max(1.0, scaling.factor);
      const float* v = args.v.row(b, kv_head, j);
      const float* const relative = relative_row(args, args.variant.relative_values, args.value_width, b, h, i, j);
      for (std::size_t d = 0; d < args.value_width; ++d) {
        const double magnitude =
            std::abs(static_cast<double>(v[d])) + (relative == nullptr ? 0.0 : std::abs(static_cast<double>(relative[d])));
        scale[d] += own * magnitude;
        floor[d] += rest * magnitude;
      }
    }
    weights_oracle.scale.push_back(own);
    weights_oracle.floor.push_back(rest);
  }
  output_oracle.scale.insert(output_oracle.scale.end(), scale.begin(), scale.end());
  output_oracle.floor.insert(output_oracle.floor.end(), floor.begin(), floor.end());
}

/// hard, sampled, top-k: forbids all but the keys that are kept. A broken row keeps all.
template <class Real>
void keep_chosen(const AttentionArgs& args, LogitRow<Real>& row, std::size_t b, std::size_t h, std::size_t i) {
  const Normalizer& normalizer = args.variant.normalizer;
  if (normalizer.kind == NormalizerKind::Softmax) return;
  constexpr Real kNone = -std::numeric_limits<Real>::infinity();
  std::vector<std::size_t> keys;
  std::vector<double> rank(args.keys);
  for (std::size_t j = 0; j < args.keys; ++j) {
    if (!row.allowed[j] || row.biased[j] == kNone) continue;
    if (!std::isfinite(row.biased[j])) return;
    keys.push_back(j);
    rank[j] = static_cast<double>(row.biased[j]);
    if (normalizer.kind != NormalizerKind::Sampled) continue;
    const auto p = static_cast<std::uint32_t>(args.position_rules(b).position(i));
    const std::uint32_t word = philox(to_seed(normalizer.seed), static_cast<std::uint32_t>(j), p,
                                      static_cast<std::uint32_t>(b * args.heads + h), Stream::Sampled)[0];
    rank[j] -= std::log(-std::log((static_cast<double>(word >> 9) + 0.5) * 0x1p-23));
  }
  std::stable_sort(keys.begin(), keys.end(), [&](std::size_t x, std::size_t y) { return rank[x] > rank[y]; });
  const std::size_t k = normalizer.kind == NormalizerKind::TopK ? normalizer.k : 1;
  keys.resize(std::min(k, keys.size()));
  std::vector<bool> kept(args.keys);
  for (const std::size_t j : keys) kept[j] = true;
  for (std::size_t j = 0; j < args.keys; ++j) {
    if (kept[j]) continue;
    row.allowed[j] = false;
    row.biased[j] = kNone;
  }
}

}  // namespace fovea::test
