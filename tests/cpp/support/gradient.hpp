#pragma once
/// Exact derivatives of the references, by a complex step: Im f(x + i h) / h with h so small that its square is 0 beside 1, which
/// subtracts nothing and is exact to double (Squire, Trapp 1998).

#include <complex>

#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace fovea::test {

using Complex = std::complex<double>;

inline constexpr double kComplexStep = 1e-30;

inline double real_part(double x) noexcept { return x; }
inline double real_part(Complex x) noexcept { return x.real(); }

/// Functions that std::complex lacks: their first-order expansion along the step, which is all that a complex step reads.
inline Complex erfc(Complex x) noexcept {
  constexpr double kSlope = 1.12837916709551257390;  // 2/√π
  return {std::erfc(x.real()), -x.imag() * kSlope * std::exp(-x.real() * x.real())};
}
inline Complex expm1(Complex x) noexcept { return {std::expm1(x.real()), x.imag() * std::exp(x.real())}; }

/// The gradient of x: start + Σ_i d_y[i] ∂y[i]/∂x[j], for y = forward(x) of a vector of Complex; its first-order condition is that
/// of the sum.
template <class Forward>
Oracle gradient_ref(Forward forward, const std::vector<float>& x, const std::vector<float>& d_y,
                    const std::vector<float>& start) {
  std::vector<Complex> moved(x.begin(), x.end());
  Oracle oracle;
  for (std::size_t j = 0; j < x.size(); ++j) {
    moved[j] = Complex(static_cast<double>(x[j]), kComplexStep);
    const std::vector<Complex> y = forward(moved);
    moved[j] = static_cast<double>(x[j]);
    double truth = static_cast<double>(start[j]), scale = std::abs(truth);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double term = static_cast<double>(d_y[i]) * (y[i].imag() / kComplexStep);
      truth += term;
      scale += std::abs(term);
    }
    oracle.truth.push_back(truth);
    oracle.plain.push_back(static_cast<float>(truth));
    oracle.scale.push_back(scale);
  }
  return oracle;
}

/// Numbers of a call's gradients, or inputs.
inline std::vector<float> drawn(Random& random, std::size_t count) {
  std::vector<float> numbers(count);
  for (float& number : numbers) number = random.normal();
  return numbers;
}

}  // namespace fovea::test
