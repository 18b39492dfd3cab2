#pragma once
/// Scaled dot-product attention as it is defined, one query at a time.
///   s[i,j]   = Cap(scale * q[i] · (k[j] + rK)) + bias(i,j) + float_mask[i,j] Cap(x) = softcap * tanh(x / softcap), or x
///   For Score::Additive Σ_a w[h][a] f(q[i][a] + k[j][a]) in place of the product              (arXiv:1409.0473, A.1.2)
///   f(x) = tanh(x), max(x, 0), x where x >= 0 else slope x (arXiv:2105.14491 eq. 7), or x
///   bias     = -slope[h] * |p - j|,  p = i + offset[b]                       (ALiBi, arXiv:2108.12409 §3)
///            + the biases of reference/biases.hpp, where rK and rV come from, too
///   w[i,j]   = exp(s[i,j] - m) / (Σ_j exp(s[i,j] - m) + exp(sink - m))       m = max_j s[i,j]  (arXiv:1706.03762 eq. 1)
///   w[i,j]  <- w[i,j] f(i,j)                                                (weight_scale.hpp, after any normalizer)
///   out[i]   = Σ_j w[i,j] (v[j] + rV)       lse[i] = m + ln Σ_j exp(s[i,j] - m)
/// over the allowed j: j < key_lengths[b], j <= p if causal, p - left <= j <= p + right, j < p or j > p by direction, boolean
/// masks not 0, float masks not -inf. Appended keys, the last of Tk, are allowed to all and have no bias, mask, rK and rV.
/// With a temperature, s / T stands for s; other normalizers: normalizers.hpp.
/// A row without an allowed key, or whose allowed logits are all -inf: 0, 0, -inf. NaN or +inf among the allowed logits: the
/// row is NaN. attention_ref<double> is the oracle; attention_ref<float> is the plain definition that tolerance.hpp compares with.

#include "attention/attention.hpp"
#include "reference/biases.hpp"
#include "reference/normalizers.hpp"
#include "reference/weight_scale.hpp"
#include "support/tolerance.hpp"

namespace fovea::test {

struct AttentionOracle {
  Oracle output, weights, lse;
};

/// The three stages of attention_logits; forbidden = -inf in the last.
struct LogitsOracle {
  Oracle raw, capped, biased;
};

/// The logits of every row, in the order b, h, i: calls that differ in normalizer, temperature or sinks share them.
struct LogitRows {
  std::vector<LogitRow<double>> truth;
  std::vector<LogitRow<float>> plain;
};

/// Whether query i may see key j of batch entry b and head h. Positions are 64 bit: an offset is any int32.
inline bool attention_allows(const AttentionInputs& args, std::size_t b, std::size_t h, std::size_t i, std::size_t j) noexcept {
  const std::int64_t position =
      static_cast<std::int64_t>(i) + (args.offsets == nullptr ? 0 : static_cast<std::int64_t>(args.offsets[b]));
  if (j >= args.positioned_keys()) return true;
  const auto key = static_cast<std::int64_t>(j);
  if (args.key_lengths != nullptr && key >= args.key_lengths[b]) return false;
  if (args.causal && key > position) return false;
  if (args.window_left != kUnbounded && position - key > args.window_left) return false;
  if (args.window_right != kUnbounded && key - position > args.window_right) return false;
  if (args.direction == Direction::Forward && key >= position) return false;
  if (args.direction == Direction::Backward && key <= position) return false;
  const auto column = [j](std::ptrdiff_t stride) { return static_cast<std::ptrdiff_t>(j) * stride; };
  for (const auto& mask : {args.bool_mask, args.key_bool_mask}) {
    if (mask.data != nullptr && mask.row(b, h, i)[column(mask.key)] == 0) return false;
  }
  for (const auto& mask : {args.float_mask, args.key_float_mask}) {
    if (mask.data != nullptr && mask.row(b, h, i)[column(mask.key)] == -kInfinity) return false;
  }
  return true;
}

/// A score before it is scaled, and the sum of the absolute values of its terms.
template <class Real>
struct ScoreSum {
  Real score = 0, terms = 0;

  void add(float a, float b) {
    const Real product = static_cast<Real>(a) * static_cast<Real>(b);
    score += product;
    terms += std::abs(product);
  }
};

template <class Real>
Real score_activation_ref(const ActivationArgs& f, Real x) {
  switch (f.kind) {
    case Activation::Tanh: return std::tanh(x);
    case Activation::Relu: return x < 0 ? Real{0} : x;
    case Activation::LeakyRelu: return x < 0 ? static_cast<Real>(f.parameter) * x : x;
    default: return x;
  }
}

template <class Real>
ScoreSum<Real> score_ref(const AttentionArgs& args, const float* q, const float* k, std::size_t h) {
  ScoreSum<Real> sum;
  if (args.variant.score == Score::Additive) {
    const float* const weights = args.variant.score_weights + static_cast<std::ptrdiff_t>(h) * args.variant.score_weights_head;
    for (std::size_t d = 0; d < args.width; ++d) {
      const Real value = score_activation_ref(args.variant.score_activation, static_cast<Real>(q[d]) + static_cast<Real>(k[d]));
      sum.score += static_cast<Real>(weights[d]) * value;
      // A tanh is off by an eps of its largest value, 1, as it is where it is made of exponentials.
      const bool is_tanh = args.variant.score_activation.kind == Activation::Tanh;
      sum.terms += std::abs(static_cast<Real>(weights[d]) * (is_tanh ? Real{1} : value));
    }
  } else {
    for (std::size_t d = 0; d < args.width; ++d) sum.add(q[d], k[d]);
  }
  return sum;
}

template <class Real>
LogitRow<Real> logits_ref(const AttentionArgs& args, std::size_t b, std::size_t h, std::size_t i) {
  const std::size_t kv_head = h / (args.heads / args.kv_heads);
  const float* q = args.q.row(b, h, i);
  LogitRow<Real> row;
  for (auto* column : {&row.raw, &row.capped, &row.biased, &row.terms, &row.raw_terms}) column->reserve(args.keys);
  for (std::size_t j = 0; j < args.keys; ++j) {
    ScoreSum<Real> sum = score_ref<Real>(args, q, args.k.row(b, kv_head, j), h);
    if (const float* const relative = relative_row(args, args.variant.relative_keys, args.width, b, h, i, j);
        relative != nullptr) {
      for (std::size_t d = 0; d < args.width; ++d) sum.add(q[d], relative[d]);
    }
    const Real raw = static_cast<Real>(args.scale) * sum.score;
    Real terms = sum.terms * std::abs(static_cast<Real>(args.scale));
    row.raw_terms.push_back(terms);
    const auto cap = static_cast<Real>(args.softcap);
    const Real capped = args.softcap == 0 ? raw : cap * std::tanh(raw / cap);
    terms += std::abs(capped);
    Real biased = capped;
    const bool positioned = j < args.positioned_keys();
    if (args.alibi_slopes != nullptr && positioned) {
      const std::int64_t position =
          static_cast<std::int64_t>(i) + (args.offsets == nullptr ? 0 : static_cast<std::int64_t>(args.offsets[b]));
      const Real distance = static_cast<Real>(std::abs(position - static_cast<std::int64_t>(j)));
      const Real bias = -static_cast<Real>(args.alibi_slopes[h]) * distance;
      biased += bias;
      terms += std::abs(bias);
    }
    for (const Real bias : biases_ref<Real>(args, b, h, i, j)) {
      biased += bias;
      terms += std::abs(bias);
    }
    const bool allowed = attention_allows(args, b, h, i, j);
    for (const auto& mask : {args.float_mask, args.key_float_mask}) {
      if (mask.data == nullptr || !positioned) continue;
      const float added = mask.row(b, h, i)[static_cast<std::ptrdiff_t>(j) * mask.key];
      biased += static_cast<Real>(added);
      if (allowed) terms += static_cast<Real>(std::abs(added));
    }
    row.raw.push_back(raw);
    row.capped.push_back(capped);
    row.biased.push_back(allowed ? biased : -std::numeric_limits<Real>::infinity());
    row.terms.push_back(terms);
    row.allowed.push_back(allowed);
  }
  return row;
}

/// One row of the definition; `weights` has Tk entries, not scaled, `output` Dv. Returns lse.
template <class Real>
Real attention_row_ref(const AttentionArgs& args, const LogitRow<Real>& row, std::size_t b, std::size_t h, std::size_t i,
                       Real* weights, Real* output) {
  constexpr Real kNone = -std::numeric_limits<Real>::infinity();
  const std::size_t kv_head = h / (args.heads / args.kv_heads);
  Real m = kNone;
  bool any = false, broken = false;
  for (std::size_t j = 0; j < args.keys; ++j) {
    weights[j] = 0;
    if (!row.allowed[j]) continue;
    const Real s = row.biased[j];
    any = any || s != kNone;
    broken = broken || std::isnan(s) || s == std::numeric_limits<Real>::infinity();
    m = std::max(m, s);
  }
  for (std::size_t d = 0; d < args.value_width; ++d) output[d] = 0;
  if (!any) return kNone;
  if (broken) {
    const Real nan = std::numeric_limits<Real>::quiet_NaN();
    for (std::size_t j = 0; j < args.keys; ++j) weights[j] = nan;
    for (std::size_t d = 0; d < args.value_width; ++d) output[d] = nan;
    return nan;
  }
  Real sum = 0;
  for (std::size_t j = 0; j < args.keys; ++j) {
    if (row.allowed[j] && row.biased[j] != kNone) sum += weights[j] = std::exp(row.biased[j] - m);
  }
  const Real total = args.sinks == nullptr ? sum : sum + std::exp(static_cast<Real>(args.sinks[h]) - m);
  for (std::size_t j = 0; j < args.keys; ++j) {
    if (!row.allowed[j]) continue;
    weights[j] /= total;
    const float* v = args.v.row(b, kv_head, j);
    const float* const relative = relative_row(args, args.variant.relative_values, args.value_width, b, h, i, j);
    const Real weight = scaled_ref(args, b, h, i, j, weights[j]);
    for (std::size_t d = 0; d < args.value_width; ++d) {
      output[d] += weight * (static_cast<Real>(v[d]) + (relative == nullptr ? 0 : static_cast<Real>(relative[d])));
    }
  }
  return m + std::log(sum);
}

/// The first-order condition of each result, per eps. A relative error of eps in every term of s[i,j] moves s[i,j] by
/// a[j] = Σ|terms|, and rounding s - m by |s - m|; then d out = Σ_j w[j] a[j] |v[j] - out|, d w[j] = w[j] (a[j] + Σ_k w[k]
/// a[k]) less the shares that cancel, d lse = Σ_j w[j] a[j]; and each product, sum and quotient adds its own eps. With a weight
/// scale f, f[j] v[j] stands for v[j], and d w[j] is multiplied by |f[j]|, to which its own error is added.
inline void attention_condition(const AttentionArgs& args, const LogitRow<double>& row, std::size_t b, std::size_t h,
                                std::size_t i, double lse, const double* weights, const double* output,
                                AttentionOracle& oracle) {
  constexpr auto kSmallest = static_cast<double>(std::numeric_limits<float>::min());
  const std::size_t kv_head = h / (args.heads / args.kv_heads);
  const bool finite = std::isfinite(lse);
  double m = -static_cast<double>(kInfinity);
  for (std::size_t j = 0; j < args.keys; ++j) m = std::max(m, row.biased[j]);
  std::vector<double> moves(args.keys);
  double mean_move = 0, sum = 0;
  for (std::size_t j = 0; finite && j < args.keys; ++j) {
    if (weights[j] == 0) continue;
    moves[j] = row.terms[j] + (m - row.biased[j]);
    mean_move += weights[j] * moves[j];
    sum += weights[j];
  }
  // The sink's own share of the denominator, 1 - Σ w, moves with |sink - m|.
  const double sink_move =
      args.sinks == nullptr || sum == 0 ? 0 : (1 - sum) * std::min(std::abs(static_cast<double>(args.sinks[h]) - m), 200.0);
  for (std::size_t j = 0; j < args.keys; ++j) {
    const double own = finite ? weights[j] * ((1 - weights[j]) * moves[j] + mean_move - weights[j] * moves[j] + sink_move) : 0;
    const ScaleCondition scaling(args, b, h, i, j);
    oracle.weights.scale.push_back(scaling.factor * (own + (finite ? weights[j] * (1 + scaling.moves) : 0)));
    oracle.weights.floor.push_back(kSmallest * std::max(1.0, scaling.factor));
  }
  std::vector<double> scale(args.value_width), magnitude(args.value_width);
  for (std::size_t j = 0; finite && j < args.keys; ++j) {
    if (!row.allowed[j]) continue;
    const float* v = args.v.row(b, kv_head, j);
    const float* const relative = relative_row(args, args.variant.relative_values, args.value_width, b, h, i, j);
    const ScaleCondition scaling(args, b, h, i, j);
    for (std::size_t d = 0; d < args.value_width; ++d) {
      // The two parts of a value may be summed apart.
      const auto own = static_cast<double>(v[d]), added = relative == nullptr ? 0.0 : static_cast<double>(relative[d]);
      const double size = std::abs(own) + std::abs(added), value = scaled_ref(args, b, h, i, j, weights[j]) * (own + added);
      magnitude[d] += std::max(1.0, scaling.factor) * size;
      scale[d] +=
          moves[j] * std::abs(value - weights[j] * output[d]) + weights[j] * scaling.factor * (1 + scaling.moves) * size;
    }
  }
  for (std::size_t d = 0; d < args.value_width; ++d) {
    oracle.output.scale.push_back(scale[d] + std::abs(finite ? output[d] : 0) * (1 + sink_move));
    oracle.output.floor.push_back(kSmallest * magnitude[d]);
  }
  oracle.lse.scale.push_back(finite ? (sum == 0 ? 0 : mean_move / sum) + std::abs(lse) + std::abs(m) + 1 : 0);
}

inline LogitRows logit_rows_ref(const AttentionArgs& args) {
  LogitRows rows;
  for (std::size_t b = 0; b < args.batch; ++b) {
    for (std::size_t h = 0; h < args.heads; ++h) {
      for (std::size_t i = 0; i < args.queries; ++i) {
        rows.truth.push_back(logits_ref<double>(args, b, h, i));
        rows.plain.push_back(logits_ref<float>(args, b, h, i));
      }
    }
  }
  return rows;
}

/// Everything the call may write, in the order b, h, i. `logits` are those of the same arrays, biases and masks.
inline AttentionOracle attention_ref(const AttentionArgs& args, const LogitRows& logits) {
  AttentionOracle oracle;
  std::vector<double> weights(args.keys), output(args.value_width);
  std::vector<float> plain_weights(args.keys), plain_output(args.value_width);
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  std::size_t row = 0;
  for (std::size_t b = 0; b < args.batch; ++b) {
    for (std::size_t h = 0; h < args.heads; ++h) {
      for (std::size_t i = 0; i < args.queries; ++i, ++row) {
        LogitRow<double> used = cooled(logits.truth[row], args.variant.temperature);
        LogitRow<float> plain_used = cooled(logits.plain[row], args.variant.temperature);
        double lse = 0;
        float plain_lse = 0;
        if (weighs_in_float(args.variant.normalizer.kind)) {
          weigh_ref(args, used, weights);
          weigh_ref(args, plain_used, plain_weights);
          sum_values_ref(args, used, b, h, i, weights, output);
          sum_values_ref(args, plain_used, b, h, i, plain_weights, plain_output);
          normalizer_condition(args, used, b, h, i, weights, oracle.weights, oracle.output);
        } else {
          keep_chosen(args, used, b, h, i);
          keep_chosen(args, plain_used, b, h, i);
          lse = attention_row_ref(args, used, b, h, i, weights.data(), output.data());
          plain_lse = attention_row_ref(args, plain_used, b, h, i, plain_weights.data(), plain_output.data());
          attention_condition(args, used, b, h, i, lse, weights.data(), output.data(), oracle);
        }
        for (std::size_t j = 0; j < args.keys; ++j) {
          weights[j] = scaled_ref(args, b, h, i, j, weights[j]);
          plain_weights[j] = scaled_ref(args, b, h, i, j, plain_weights[j]);
        }
        append(oracle.output.truth, output);
        append(oracle.output.plain, plain_output);
        append(oracle.weights.truth, weights);
        append(oracle.weights.plain, plain_weights);
        oracle.lse.truth.push_back(lse);
        oracle.lse.plain.push_back(plain_lse);
      }
    }
  }
  oracle.output.line = std::max<std::size_t>(1, args.value_width);
  oracle.weights.line = std::max<std::size_t>(1, args.keys);
  return oracle;
}

inline AttentionOracle attention_ref(const AttentionArgs& args) { return attention_ref(args, logit_rows_ref(args)); }

inline LogitsOracle attention_logits_ref(const AttentionArgs& args) {
  LogitsOracle oracle;
  const LogitRows rows = logit_rows_ref(args);
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (std::size_t row = 0; row < rows.truth.size(); ++row) {
    const LogitRow<double>& truth = rows.truth[row];
    const LogitRow<float>& plain = rows.plain[row];
    append(oracle.raw.truth, truth.raw);
    append(oracle.raw.plain, plain.raw);
    append(oracle.raw.scale, truth.raw_terms);
    append(oracle.capped.truth, truth.capped);
    append(oracle.capped.plain, plain.capped);
    append(oracle.capped.scale, truth.terms);
    append(oracle.biased.truth, truth.biased);
    append(oracle.biased.plain, plain.biased);
    append(oracle.biased.scale, truth.terms);
  }
  for (Oracle* one : {&oracle.raw, &oracle.capped, &oracle.biased}) one->line = std::max<std::size_t>(1, args.keys);
  return oracle;
}

}  // namespace fovea::test
