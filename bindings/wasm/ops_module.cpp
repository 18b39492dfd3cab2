/// Equations that know no mechanism.

#include <emscripten/bind.h>

#include "abi.hpp"
#include "gemm/matmul.hpp"
#include "module.hpp"
#include "ops/argmax.hpp"
#include "ops/arithmetic.hpp"
#include "ops/softmax.hpp"

namespace fovea::wasm {
namespace {

std::uint32_t run_matmul(std::uint32_t block) {
  const MatmulBlock& words = *pointer<MatmulBlock>(block);
  const MatrixView<const float> a = {words.a, words.rows, words.inner, words.a_row, words.a_column};
  const MatrixView<const float> b = {words.b, words.inner, words.columns, words.b_row, words.b_column};
  const MatrixView<float> c = {words.c, words.rows, words.columns, words.c_row};
  return with_workspace(matmul_workspace_bytes(pool.threads()),
                        [&](Workspace scratch) { return matmul(a, b, words.bias, c, scratch, &pool); });
}

std::uint32_t run_softmax(std::uint32_t block) {
  const SoftmaxBlock& words = *pointer<SoftmaxBlock>(block);
  return with_workspace(softmax_workspace_bytes(words.length), [&](Workspace scratch) {
    return softmax(static_cast<SoftmaxKind>(words.kind), words.x, words.y, words.outer, words.length, words.inner, scratch);
  });
}

std::uint32_t run_arithmetic(std::uint32_t block) {
  const ArithmeticBlock& words = *pointer<ArithmeticBlock>(block);
  arithmetic({static_cast<Arithmetic>(words.kind), words.scale, words.rank, words.lengths, words.a_strides, words.b_strides,
              words.a, words.b, words.y},
             &pool);
  return static_cast<std::uint32_t>(Status::Ok);
}

std::uint32_t run_argmax(std::uint32_t block) {
  const ArgmaxBlock& words = *pointer<ArgmaxBlock>(block);
  argmax(words.x, words.outer, words.length, words.inner, words.y);
  return static_cast<std::uint32_t>(Status::Ok);
}

}  // namespace

EMSCRIPTEN_BINDINGS(ops) {
  emscripten::function("matmul", &run_matmul);
  emscripten::function("softmax", &run_softmax);
  emscripten::function("arithmetic", &run_arithmetic);
  emscripten::function("argmax", &run_argmax);
}

}  // namespace fovea::wasm
