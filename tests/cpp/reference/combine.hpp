#pragma once
/// The join of attention over disjoint sets of keys as it is defined, one row at a time.
///   m = max_i lse[i]     w[i] = exp(lse[i] - m) / (Σ_i exp(lse[i] - m) + exp(sink - m))
///   out = Σ_i w[i] output[i]                 lse = m + ln Σ_i exp(lse[i] - m)
/// over the parts whose lse is not -inf; without one: 0 and -inf. A NaN or +inf lse: the row is NaN.
/// combine_ref<double> is the oracle; the same in float is the plain definition that tolerance.hpp compares with.

#include "attention/softmax/combine.hpp"
#include "support/tolerance.hpp"

namespace fovea::test {

struct CombineOracle {
  Oracle output, lse;
};

/// The weights of the parts of one row, 0 for those that are skipped. Returns lse.
template <class Real>
Real combine_weights_ref(const CombineArgs& args, std::size_t b, std::size_t h, std::size_t i, Real* weights) {
  constexpr Real kNone = -std::numeric_limits<Real>::infinity();
  Real m = kNone;
  bool broken = false;
  for (std::size_t p = 0; p < args.count; ++p) {
    const auto lse = static_cast<Real>(*args.parts[p].lse.row(b, h, i));
    broken = broken || std::isnan(lse) || lse == std::numeric_limits<Real>::infinity();
    m = std::max(m, lse);
  }
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  Real sum = 0;
  for (std::size_t p = 0; p < args.count; ++p) {
    const auto lse = static_cast<Real>(*args.parts[p].lse.row(b, h, i));
    weights[p] = broken ? nan : lse == kNone ? 0 : std::exp(lse - m);
    sum += weights[p];
  }
  if (broken) return nan;
  if (m == kNone) return kNone;
  // With a sink above the maximum, exp is taken relative to the sink.
  const Real sink = args.sinks == nullptr ? kNone : static_cast<Real>(args.sinks[h]);
  const Real top = std::max(m, sink), share = std::exp(m - top);
  const Real total = sum * share + std::exp(sink - top);
  for (std::size_t p = 0; p < args.count; ++p) weights[p] = weights[p] * share / total;
  return m + std::log(sum);
}

template <class Real>
void combine_output_ref(const CombineArgs& args, std::size_t b, std::size_t h, std::size_t i, const Real* weights,
                        Real* output) {
  for (std::size_t d = 0; d < args.value_width; ++d) {
    output[d] = 0;
    for (std::size_t p = 0; p < args.count; ++p) {
      if (*args.parts[p].lse.row(b, h, i) == -kInfinity) continue;
      output[d] += weights[p] * static_cast<Real>(args.parts[p].output.row(b, h, i)[d]);
    }
  }
}

/// The first-order condition of each result, per eps: rounding lse[i] - m moves w[i] by |lse[i] - m|, the sink's share moves
/// with |sink - m|, and each product, sum and quotient adds its own eps.
inline void combine_condition(const CombineArgs& args, std::size_t b, std::size_t h, std::size_t i, double lse,
                              const double* weights, const double* output, CombineOracle& oracle) {
  constexpr auto kSmallest = static_cast<double>(std::numeric_limits<float>::min());
  const bool finite = std::isfinite(lse);
  double m = -static_cast<double>(kInfinity), sum = 0, move = 0;
  for (std::size_t p = 0; p < args.count; ++p) m = std::max(m, static_cast<double>(*args.parts[p].lse.row(b, h, i)));
  std::vector<double> moves(args.count);
  for (std::size_t p = 0; finite && p < args.count; ++p) {
    if (weights[p] == 0) continue;
    moves[p] = m - static_cast<double>(*args.parts[p].lse.row(b, h, i));
    sum += weights[p];
    move += weights[p] * moves[p];
  }
  const double sink_move =
      args.sinks == nullptr || sum == 0 ? 0 : (1 - sum) * std::min(std::abs(static_cast<double>(args.sinks[h]) - m), 200.0);
  for (std::size_t d = 0; d < args.value_width; ++d) {
    double scale = 0, magnitude = 0;
    for (std::size_t p = 0; finite && p < args.count; ++p) {
      const auto value = static_cast<double>(args.parts[p].output.row(b, h, i)[d]);
      if (*args.parts[p].lse.row(b, h, i) == -kInfinity) continue;
      scale += weights[p] * (moves[p] * std::abs(value - output[d]) + std::abs(value));
      magnitude += std::abs(value);
    }
    oracle.output.scale.push_back(scale + (finite ? std::abs(output[d]) * (1 + sink_move) : 0));
    oracle.output.floor.push_back(kSmallest * magnitude);
  }
  oracle.lse.scale.push_back(finite ? (sum == 0 ? 0 : move / sum) + std::abs(lse) + std::abs(m) + 1 : 0);
}

/// Everything the call writes, in the order b, h, i.
inline CombineOracle combine_ref(const CombineArgs& args) {
  CombineOracle oracle;
  std::vector<double> weights(args.count), output(args.value_width);
  std::vector<float> plain_weights(args.count), plain_output(args.value_width);
  for (std::size_t b = 0; b < args.batch; ++b) {
    for (std::size_t h = 0; h < args.heads; ++h) {
      for (std::size_t i = 0; i < args.queries; ++i) {
        const double lse = combine_weights_ref(args, b, h, i, weights.data());
        combine_output_ref(args, b, h, i, weights.data(), output.data());
        const float plain_lse = combine_weights_ref(args, b, h, i, plain_weights.data());
        combine_output_ref(args, b, h, i, plain_weights.data(), plain_output.data());
        combine_condition(args, b, h, i, lse, weights.data(), output.data(), oracle);
        oracle.output.truth.insert(oracle.output.truth.end(), output.begin(), output.end());
        oracle.output.plain.insert(oracle.output.plain.end(), plain_output.begin(), plain_output.end());
        oracle.lse.truth.push_back(lse);
        oracle.lse.plain.push_back(plain_lse);
      }
    }
  }
  oracle.output.line = std::max<std::size_t>(1, args.value_width);
  return oracle;
}

}  // namespace fovea::test
