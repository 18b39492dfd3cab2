#pragma once
/// Multi-dimensional attention as it is defined (arXiv:1709.04696 §3.1, §4.2), one pair and one feature at a time.
///   s[i,j,d] = c tanh((q[i,d] + k[j,d]) / c), or Σ_e σ(q[i,e] + k[j,e]) W[e,d] + b[d]; then + mask[i,j]
///   w[i,j,d] = exp(s - m) / Σ_j exp(s - m), m = max_j s;   out[i,d] = Σ_j w[i,j,d] v[j,d]
///   lse[i,d] = m + ln Σ_j exp(s - m)
/// over the allowed j. multi_dimensional_ref computes it in double, and in float as the plain definition beside it.

#include "attention/multi_dimensional/multi_dimensional.hpp"
#include "reference/attention.hpp"

namespace fovea::test {

struct MultiDimensionalOracle {
  Oracle output, weights, lse;
};

/// A score, and the size of what it is made of: an eps in each of these moves it by as much.
template <class Real>
struct FeatureLogit {
  Real score, terms;
};

template <class Real>
FeatureLogit<Real> feature_logit(const MultiDimensionalArgs& args, const float* q, const float* k, std::size_t d) {
  const auto real = [](float x) { return static_cast<Real>(x); };
  if (args.score == FeatureScore::Bounded) {
    const Real c = real(args.bound);
    return {c * std::tanh((real(q[d]) + real(k[d])) / c), c + std::abs(real(q[d])) + std::abs(real(k[d]))};
  }
  FeatureLogit<Real> sum{0, 0};
  for (std::size_t e = 0; e < args.inputs.width; ++e) {
    const Real x = real(q[e]) + real(k[e]), weight = real(*args.w.at(e, d));
    const bool tanh = args.score == FeatureScore::Tanh;
    sum.score += weight * (tanh ? std::tanh(x) : x > 0 ? x : std::exp(x) - 1);
    sum.terms += std::abs(weight) * (1 + (tanh ? 0 : std::abs(real(q[e])) + std::abs(real(k[e]))));
  }
  if (args.bias != nullptr) {
    sum.score += real(args.bias[d]);
    sum.terms += std::abs(real(args.bias[d]));
  }
  return sum;
}

template <class Real>
struct FeatureResult {
  Real output, lse;
};

/// One feature of one row: weights [Tk], scores and terms with them.
template <class Real>
FeatureResult<Real> feature_row(const MultiDimensionalArgs& given, std::size_t b, std::size_t h, std::size_t i, std::size_t d,
                                std::vector<Real>& weights, std::vector<Real>& scores, std::vector<Real>& terms) {
  const AttentionInputs& args = given.inputs;
  const std::size_t kv_head = h / (args.heads / args.kv_heads);
  constexpr Real kNone = -std::numeric_limits<Real>::infinity();
  scores.assign(args.keys, kNone);
  terms.assign(args.keys, 0);
  weights.assign(args.keys, 0);
  Real m = kNone;
  bool broken = false;
  for (std::size_t j = 0; j < args.keys; ++j) {
    if (!attention_allows(args, b, h, i, j)) continue;
    const auto logit = feature_logit<Real>(given, args.q.row(b, h, i), args.k.row(b, kv_head, j), d);
    scores[j] = logit.score;
    terms[j] = logit.terms;
    if (args.float_mask.data != nullptr) {
      const float added = args.float_mask.row(b, h, i)[static_cast<std::ptrdiff_t>(j) * args.float_mask.key];
      scores[j] += static_cast<Real>(added);
      terms[j] += static_cast<Real>(std::abs(added));
    }
    broken = broken || std::isnan(scores[j]) || scores[j] == -kNone;
    m = std::max(m, scores[j]);
  }
  if (broken) {
    weights.assign(args.keys, std::numeric_limits<Real>::quiet_NaN());
    return {weights[0], weights[0]};
  }
  if (m == kNone) return {0, kNone};
  Real sum = 0, output = 0;
  for (std::size_t j = 0; j < args.keys; ++j) sum += weights[j] = std::exp(scores[j] - m);
  for (std::size_t j = 0; j < args.keys; ++j) {
    weights[j] /= sum;
    if (scores[j] != kNone) output += weights[j] * static_cast<Real>(args.v.row(b, kv_head, j)[d]);
  }
  return {output, m + std::log(sum)};
}

/// output and lse [B, H, Tq, D], weights [B, H, Tq, Tk, D]; the condition is that of attention_condition, feature by feature.
inline MultiDimensionalOracle multi_dimensional_ref(const MultiDimensionalArgs& given) {
  const AttentionInputs& args = given.inputs;
  const std::size_t features = args.value_width, rows = args.batch * args.heads * args.queries;
  constexpr auto kSmallest = static_cast<double>(std::numeric_limits<float>::min());
  MultiDimensionalOracle oracle;
  for (Oracle* one : {&oracle.output, &oracle.weights, &oracle.lse}) {
    const std::size_t size = rows * features * (one == &oracle.weights ? args.keys : 1);
    one->truth.resize(size);
    one->plain.resize(size);
    one->scale.resize(size);
    one->floor.assign(size, kSmallest);
    one->line = std::max<std::size_t>(1, size / std::max<std::size_t>(1, rows));
  }
  std::vector<double> weights, scores, terms;
  std::vector<float> plain_weights, plain_scores, plain_terms;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t i = row % args.queries, h = row / args.queries % args.heads, b = row / args.queries / args.heads;
    for (std::size_t d = 0; d < features; ++d) {
      const auto [output, lse] = feature_row<double>(given, b, h, i, d, weights, scores, terms);
      const auto [plain, plain_lse] = feature_row<float>(given, b, h, i, d, plain_weights, plain_scores, plain_terms);
      const double m = args.keys == 0 ? 0 : *std::max_element(scores.begin(), scores.end());
      double mean_move = 0, moved = 0;
      const auto move = [&](std::size_t j) { return weights[j] > 0 ? terms[j] + (m - scores[j]) : 0; };
      for (std::size_t j = 0; j < args.keys; ++j) {
        if (!(weights[j] > 0)) continue;
        const auto value = static_cast<double>(args.v.row(b, h / (args.heads / args.kv_heads), j)[d]);
        mean_move += weights[j] * move(j);
        moved += weights[j] * (move(j) * std::abs(value - output) + std::abs(value));
      }
      const std::size_t at = row * features + d;
      oracle.output.truth[at] = output;
      oracle.output.plain[at] = plain;
      oracle.output.scale[at] = moved + (std::isnan(output) ? 0 : std::abs(output));
      oracle.lse.truth[at] = lse;
      oracle.lse.plain[at] = plain_lse;
      oracle.lse.scale[at] = std::isfinite(lse) ? mean_move + std::abs(lse) + std::abs(m) + 1 : 0;
      for (std::size_t j = 0; j < args.keys; ++j) {
        const std::size_t pair = (row * args.keys + j) * features + d;
        oracle.weights.truth[pair] = weights[j];
        oracle.weights.plain[pair] = plain_weights[j];
        oracle.weights.scale[pair] = weights[j] > 0 ? weights[j] * ((1 - weights[j]) * move(j) + mean_move + 1) : 0;
      }
    }
  }
  return oracle;
}

}  // namespace fovea::test
