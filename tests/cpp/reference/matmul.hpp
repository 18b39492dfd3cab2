#pragma once
/// The matrix product as it is defined.
///   c[i,j] = Σ_k a[i,k] b[k,j] + bias[j]
/// Its first-order condition is Σ_k |a[i,k] b[k,j]| + |bias[j]|.

#include "gemm/matmul.hpp"
#include "support/tolerance.hpp"

namespace fovea::test {

template <class Real>
Real matmul_element_ref(MatrixView<const float> a, MatrixView<const float> b, const float* bias, std::size_t i, std::size_t j,
                        bool absolute = false) {
  const auto size = [absolute](Real x) { return absolute ? std::abs(x) : x; };
  Real sum = 0;
  for (std::size_t k = 0; k < a.columns; ++k) sum += size(static_cast<Real>(*a.at(i, k)) * static_cast<Real>(*b.at(k, j)));
  return bias == nullptr ? sum : sum + size(static_cast<Real>(bias[j]));
}

inline Oracle matmul_ref(MatrixView<const float> a, MatrixView<const float> b, const float* bias) {
  Oracle oracle;
  oracle.line = std::max<std::size_t>(1, b.columns);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < b.columns; ++j) {
      oracle.truth.push_back(matmul_element_ref<double>(a, b, bias, i, j));
      oracle.plain.push_back(matmul_element_ref<float>(a, b, bias, i, j));
      oracle.scale.push_back(matmul_element_ref<double>(a, b, bias, i, j, /*absolute=*/true));
    }
  }
  return oracle;
}

}  // namespace fovea::test
