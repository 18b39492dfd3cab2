#pragma once
/// Products of blocks that name a right factor, in whichever format it is.

#include "gemm/int8_product.hpp"
#include "gemm/matmul.hpp"
#include "module.hpp"

namespace fovea::wasm {

inline bool has_precise_inputs(std::uint32_t format) noexcept {
  return static_cast<WeightFormat>(format) == WeightFormat::Int8Precise;
}
inline bool is_int8(std::uint32_t format) noexcept {
  return has_precise_inputs(format) || static_cast<WeightFormat>(format) == WeightFormat::Int8;
}

template <class Block>
std::uint32_t multiply(const Block& words, const MatrixView<const float>& a, const MatrixView<float>& c,
                       const RowEpilogue& epilogue) noexcept {
  const std::size_t threads = pool.threads();
  if (is_int8(words.b_format)) {
    const Int8Weights weights(words.b, words.inner, words.columns);
    const Int8Inputs inputs = has_precise_inputs(words.b_format) ? Int8Inputs::Precise : Int8Inputs::Fast;
    return with_workspace(int8_product_workspace_bytes(words.rows, words.inner, threads), [&](Workspace scratch) {
      return int8_product(a, weights, inputs, words.bias, c, scratch, &pool, epilogue);
    });
  }
  const RightFactor b = {{words.b, words.inner, words.columns, words.b_row, words.b_column},
                         static_cast<WeightFormat>(words.b_format)};
  return with_workspace(matmul_workspace_bytes(threads),
                        [&](Workspace scratch) { return matmul(a, b, words.bias, c, scratch, &pool, epilogue); });
}

}  // namespace fovea::wasm
