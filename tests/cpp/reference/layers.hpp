#pragma once
/// Layers as their papers define them, element by element: activations, normalization, pooling, convolution.
/// scale: how much a result moves per eps of each term it is made of.

#include "ops/activations.hpp"
#include "ops/conv1d.hpp"
#include "ops/pooling.hpp"
#include "ops/row_norm.hpp"
#include "support/tolerance.hpp"

namespace fovea::test {

template <class Real>
Real activation_ref(const ActivationArgs& function, float number) {
  const auto x = static_cast<Real>(number), p = static_cast<Real>(function.parameter);
  const auto of = [](double value) { return static_cast<Real>(value); };
  switch (function.kind) {
    case Activation::None: return x;
    case Activation::Relu: return x < 0 ? of(0) : x;
    case Activation::Gelu: return of(0.5) * x * std::erfc(-x * of(0.70710678118654752440));
    case Activation::GeluTanh:
      // 1 + tanh(u) = 2 / (1 + exp(-2u)), which loses nothing for u below 0
      return x / (1 + std::exp(of(-2 * 0.79788456080286535588) * (x + of(0.044715) * x * x * x)));
    case Activation::Silu: return x / (1 + std::exp(-p * x));
    case Activation::Elu: return x > 0 ? x : p * std::expm1(x);
    case Activation::LeakyRelu: return x < 0 ? p * x : x;
    case Activation::Tanh: return std::tanh(x);
    case Activation::Sigmoid: return 1 / (1 + std::exp(-x));
  }
  return of(NAN);
}

/// y of one line; `move` receives its scale.
template <class Real>
std::vector<Real> row_norm_ref(const RowNormArgs& args, const std::vector<float>& x, const std::vector<float>& residual,
                               std::vector<double>* move = nullptr) {
  const std::size_t n = x.size();
  std::vector<Real> s(n), y(n);
  Real mean = 0, square = 0;
  for (std::size_t i = 0; i < n; ++i)
    s[i] = static_cast<Real>(x[i]) + (residual.empty() ? Real(0) : static_cast<Real>(residual[i]));
  for (std::size_t i = 0; i < n && args.kind == RowNorm::Layer; ++i) mean += s[i];
  mean /= static_cast<Real>(n);
  for (std::size_t i = 0; i < n; ++i) square += (s[i] - mean) * (s[i] - mean);
  const Real factor = 1 / std::sqrt(square / static_cast<Real>(n) + static_cast<Real>(args.eps));
  for (std::size_t i = 0; i < n; ++i) {
    const Real weight = args.weight != nullptr ? static_cast<Real>(args.weight[i]) : Real(1);
    const Real bias = args.bias != nullptr ? static_cast<Real>(args.bias[i]) : Real(0);
    y[i] = (s[i] - mean) * factor * weight + bias;
    if (move != nullptr) {
      // An eps of each s moves it, and where there is one the sum that it came from, by as much.
      const Real own = std::abs(s[i]) + (residual.empty() ? Real(0) : std::abs(static_cast<Real>(residual[i])));
      move->push_back(
          static_cast<double>((own * factor + std::abs((s[i] - mean) * factor)) * std::abs(weight) + std::abs(bias)));
    }
  }
  return y;
}

/// The convolution at one place, or the sum of its terms' sizes.
template <class Real>
Real conv1d_element_ref(const Conv1dArgs& args, std::size_t b, std::size_t o, std::size_t t, bool absolute = false) {
  const auto size = [absolute](Real x) { return absolute ? std::abs(x) : x; };
  Real sum = 0;
  const std::size_t group = o / args.group_out();
  for (std::size_t c = 0; c < args.group_in(); ++c) {
    for (std::size_t k = 0; k < args.kernel; ++k) {
      const auto place =
          static_cast<std::ptrdiff_t>(t * args.stride + k * args.dilation) - static_cast<std::ptrdiff_t>(args.padding);
      if (place < 0 || place >= static_cast<std::ptrdiff_t>(args.tokens)) continue;
      const std::size_t channel = group * args.group_in() + c, token = static_cast<std::size_t>(place);
      const std::size_t at = args.channels_last ? (b * args.tokens + token) * args.in_channels + channel
                                                : (b * args.in_channels + channel) * args.tokens + token;
      sum += size(static_cast<Real>(args.weight[(o * args.group_in() + c) * args.kernel + k]) * static_cast<Real>(args.x[at]));
    }
  }
  return args.bias == nullptr ? sum : sum + size(static_cast<Real>(args.bias[o]));
}

inline Oracle conv1d_ref(const Conv1dArgs& args) {
  Oracle oracle;
  oracle.line = std::max<std::size_t>(1, args.channels_last ? args.out_channels : args.out_tokens);
  const auto push = [&](std::size_t b, std::size_t o, std::size_t t) {
    oracle.truth.push_back(conv1d_element_ref<double>(args, b, o, t));
    oracle.plain.push_back(conv1d_element_ref<float>(args, b, o, t));
    oracle.scale.push_back(conv1d_element_ref<double>(args, b, o, t, /*absolute=*/true));
  };
  for (std::size_t b = 0; b < args.batch; ++b) {
    if (args.channels_last) {
      for (std::size_t t = 0; t < args.out_tokens; ++t)
        for (std::size_t o = 0; o < args.out_channels; ++o) push(b, o, t);
    } else {
      for (std::size_t o = 0; o < args.out_channels; ++o)
        for (std::size_t t = 0; t < args.out_tokens; ++t) push(b, o, t);
    }
  }
  return oracle;
}

/// One window of a line of entries `inner` apart.
template <class Real>
Real pool_ref(const PoolingArgs& args, std::size_t outer, std::size_t o, std::size_t i, bool absolute = false) {
  Real best = -std::numeric_limits<Real>::infinity(), sum = 0;
  std::size_t count = 0;
  for (std::size_t k = 0; k < args.kernel; ++k) {
    const auto place = static_cast<std::ptrdiff_t>(o * args.stride + k) - static_cast<std::ptrdiff_t>(args.padding);
    if (place < 0 || place >= static_cast<std::ptrdiff_t>(args.n)) continue;
    const auto x = static_cast<Real>(args.x[(outer * args.n + static_cast<std::size_t>(place)) * args.inner + i]);
    best = std::isnan(x) || x > best ? x : best;
    if (std::isnan(x)) return x;
    sum += absolute ? std::abs(x) : x;
    ++count;
  }
  if (args.kind == Pooling::Max) return best;
  return args.kind == Pooling::Sum ? sum : sum / static_cast<Real>(args.count_padding ? args.kernel : count);
}

}  // namespace fovea::test
