#pragma once
/// Softmax along one axis as it is defined, one line at a time; x and y [outer, n, inner].
///   softmax[i] = exp(x[i] - m) / Σ exp(x[j] - m)   logsumexp = m + ln Σ exp(x[j] - m)   log_softmax[i] = x[i] - logsumexp
/// -inf weighs exactly 0; a line of nothing else gives 0 and -inf; NaN or +inf anywhere gives a line of NaN.

#include "ops/softmax.hpp"
#include "support/tolerance.hpp"

namespace fovea::test {

/// One line, `stride` apart. Returns logsumexp; `y` is not written for SoftmaxKind::LogSumExp.
template <class Real>
Real softmax_line_ref(SoftmaxKind kind, const float* x, std::size_t n, std::size_t stride, Real* y) {
  constexpr Real kNone = -std::numeric_limits<Real>::infinity();
  Real m = kNone;
  bool broken = false;
  for (std::size_t i = 0; i < n; ++i) {
    broken = broken || std::isnan(x[i * stride]) || x[i * stride] == kInfinity;
    m = std::max(m, static_cast<Real>(x[i * stride]));
  }
  Real sum = 0;
  for (std::size_t i = 0; m != kNone && i < n; ++i) sum += std::exp(static_cast<Real>(x[i * stride]) - m);
  const Real lse = broken ? std::numeric_limits<Real>::quiet_NaN() : m == kNone ? kNone : m + std::log(sum);
  for (std::size_t i = 0; kind != SoftmaxKind::LogSumExp && i < n; ++i) {
    const auto own = static_cast<Real>(x[i * stride]);
    if (kind == SoftmaxKind::Softmax) {
      y[i * stride] = broken ? lse : m == kNone ? 0 : std::exp(own - m) / sum;
    } else {
      y[i * stride] = broken || m == kNone ? lse : own == kNone ? kNone : own - lse;
    }
  }
  return lse;
}

/// The first-order condition. Softmax: the exponential's argument is rounded once, by |x - m| eps, in the line's own weight
/// and, on average, in the sum. The logarithms: every term of m + ln Σ and of x - logsumexp.
inline Oracle softmax_ref(SoftmaxKind kind, const float* x, std::size_t outer, std::size_t n, std::size_t inner) {
  const std::size_t out_n = kind == SoftmaxKind::LogSumExp ? 1 : n;
  Oracle oracle;
  oracle.truth.reserve(1);  // no array is at address 0
  oracle.plain.reserve(1);
  oracle.truth.resize(outer * out_n * inner);
  oracle.plain.resize(oracle.truth.size());
  oracle.scale.resize(oracle.truth.size());
  oracle.floor.assign(oracle.truth.size(),
                      kind == SoftmaxKind::Softmax ? static_cast<double>(std::numeric_limits<float>::min()) : 0.0);
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < inner; ++i) {
      const float* line = x + o * n * inner + i;
      const std::size_t first = o * out_n * inner + i;
      const double lse = softmax_line_ref(kind, line, n, inner, oracle.truth.data() + first);
      const float plain_lse = softmax_line_ref(kind, line, n, inner, oracle.plain.data() + first);
      if (kind == SoftmaxKind::LogSumExp) {
        oracle.truth[first] = lse;
        oracle.plain[first] = plain_lse;
      }
      double m = -static_cast<double>(kInfinity), mean_move = 0;
      for (std::size_t t = 0; t < n; ++t) m = std::max(m, static_cast<double>(line[t * inner]));
      for (std::size_t t = 0; std::isfinite(lse) && t < n; ++t) {
        const auto own = static_cast<double>(line[t * inner]);
        if (std::isfinite(own)) mean_move += std::exp(own - lse) * (m - own);
      }
      const double lse_scale = std::isfinite(lse) ? mean_move + std::abs(m) + std::abs(lse) + 1 : 0;
      for (std::size_t t = 0; t < out_n; ++t) {
        const double own = kind == SoftmaxKind::LogSumExp ? 0 : static_cast<double>(line[t * inner]);
        double& scale = oracle.scale[first + t * inner];
        const double truth = oracle.truth[first + t * inner];
        if (!std::isfinite(truth))
          scale = 0;
        else if (kind == SoftmaxKind::Softmax)
          scale = truth == 0 ? 0 : truth * (1 + (m - own) + mean_move);
        else
          scale = lse_scale + std::abs(own);
      }
    }
  }
  return oracle;
}

}  // namespace fovea::test
