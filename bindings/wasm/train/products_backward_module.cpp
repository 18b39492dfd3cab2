/// Gradients of matrix products.

#include <emscripten/bind.h>

#include "abi.hpp"
#include "gemm/matmul.hpp"
#include "gemm/matmul_backward.hpp"
#include "module.hpp"

namespace fovea::wasm {
namespace {

/// `a` and the rows of c of the forward call.
template <class Block>
std::uint32_t product_backward(const Block& words, const MatrixView<const float>& a, std::ptrdiff_t c_row) noexcept {
  const auto& forward = *words.forward;
  const bool is_strided = static_cast<WeightFormat>(forward.b_format) == WeightFormat::Strided;
  const std::ptrdiff_t b_row = is_strided ? forward.b_row : 1,
                       b_column = is_strided ? forward.b_column : static_cast<std::ptrdiff_t>(forward.inner);
  MatmulBackwardArgs args;
  args.a = a;
  args.b = {is_strided ? forward.b : words.b_plain, forward.inner, forward.columns, b_row, b_column};
  args.d_c = {words.d_c, forward.rows, forward.columns, c_row};
  args.d_a = {words.d_a, a.rows, a.columns, a.row_stride, a.column_stride};
  args.d_b = {words.d_b, forward.inner, forward.columns, b_row, b_column};
  args.d_bias = words.d_bias;
  args.fresh_a = (words.fresh & 1) != 0;
  args.fresh_b = (words.fresh & 2) != 0;
  return with_workspace(matmul_backward_workspace_bytes(args, pool.threads()),
                        [&](Workspace scratch) { return matmul_backward(args, scratch, &pool); });
}

std::uint32_t run_matmul_backward(std::uint32_t block) {
  const MatmulBackwardBlock& words = *pointer<MatmulBackwardBlock>(block);
  const MatmulBlock& forward = *words.forward;
  return product_backward(words, {forward.a, forward.rows, forward.inner, forward.a_row, forward.a_column}, forward.c_row);
}

std::uint32_t run_linear_layer_backward(std::uint32_t block) {
  const LinearLayerBackwardBlock& words = *pointer<LinearLayerBackwardBlock>(block);
  const LinearLayerBlock& forward = *words.forward;
  if (forward.activation != 0) return static_cast<std::uint32_t>(Status::Value);
  return product_backward(words, {forward.a, forward.rows, forward.inner, forward.a_row},
                          static_cast<std::ptrdiff_t>(forward.columns));
}

}  // namespace

EMSCRIPTEN_BINDINGS(products_backward) {
  emscripten::function("matmulBackward", &run_matmul_backward);
  emscripten::function("linearLayerBackward", &run_linear_layer_backward);
}

}  // namespace fovea::wasm
