/// Equations that know no mechanism.

#include <emscripten/bind.h>

#include "abi.hpp"
#include "gemm/packed_weights.hpp"
#include "listed_operations.hpp"
#include "module.hpp"
#include "ops/argmax.hpp"
#include "ops/arithmetic.hpp"
#include "ops/blend.hpp"
#include "ops/copy_strided.hpp"
#include "ops/cumulative_sum.hpp"
#include "ops/elementary.hpp"
#include "ops/listed_rows.hpp"
#include "ops/softmax.hpp"
#include "products.hpp"

namespace fovea::wasm {
namespace {

std::uint32_t run_pack_weights(std::uint32_t block) {
  const PackWeightsBlock& words = *pointer<PackWeightsBlock>(block);
  const MatrixView<const float> b = {words.b, words.rows, words.columns, words.b_row, words.b_column};
  if (is_int8(words.format)) {
    quantize_weights(b, words.first, words.all_columns, words.panels);
  } else {
    pack_weights(b, words.panels, words.panel_stride);
  }
  return static_cast<std::uint32_t>(Status::Ok);
}

std::uint32_t run_softmax(std::uint32_t block) {
  const SoftmaxBlock& words = *pointer<SoftmaxBlock>(block);
  const auto kind = static_cast<SoftmaxKind>(words.kind);
  return with_workspace(softmax_workspace_bytes(words.length, words.inner, pool.threads()), [&](Workspace scratch) {
    return softmax(kind, words.x, words.y, words.outer, words.length, words.inner, scratch, &pool);
  });
}

std::uint32_t run_blend(std::uint32_t block) {
  const BlendBlock& words = *pointer<BlendBlock>(block);
  const SharedAxes<3> axes = {words.rank, words.lengths, {words.a_strides, words.b_strides, words.gate_strides}};
  blend({axes, words.a, words.b, words.gate, words.y}, &pool);
  return static_cast<std::uint32_t>(Status::Ok);
}

std::uint32_t run_copy(std::uint32_t block) {
  const CopyBlock& words = *pointer<CopyBlock>(block);
  copy_strided({{words.rank, words.lengths, {words.x_strides, words.y_strides}}, words.x, words.y}, &pool);
  return static_cast<std::uint32_t>(Status::Ok);
}

std::uint32_t run_cumulative_sum(std::uint32_t block) {
  const CumulativeSumBlock& words = *pointer<CumulativeSumBlock>(block);
  cumulative_sum(words.x, words.outer, words.length, words.inner, words.y);
  return static_cast<std::uint32_t>(Status::Ok);
}

std::uint32_t run_elementary(std::uint32_t block) {
  const ElementaryBlock& words = *pointer<ElementaryBlock>(block);
  elementary(static_cast<Elementary>(words.kind), words.x, words.count, words.y);
  return static_cast<std::uint32_t>(Status::Ok);
}

ListedRowsArgs listed_rows(std::uint32_t block) noexcept {
  const ListedRowsBlock& words = *pointer<ListedRowsBlock>(block);
  return {words.outer, words.length, words.inner, words.indices, words.count, words.x, words.y};
}

std::uint32_t run_take_rows(std::uint32_t block) { return static_cast<std::uint32_t>(take_rows(listed_rows(block))); }
std::uint32_t run_add_rows(std::uint32_t block) { return static_cast<std::uint32_t>(add_rows(listed_rows(block))); }

std::uint32_t run_argmax(std::uint32_t block) {
  const ArgmaxBlock& words = *pointer<ArgmaxBlock>(block);
  argmax(words.x, words.outer, words.length, words.inner, words.y, &pool);
  return static_cast<std::uint32_t>(Status::Ok);
}

}  // namespace

std::uint32_t run_matmul(std::uint32_t block) {
  const MatmulBlock& words = *pointer<MatmulBlock>(block);
  return multiply(words, {words.a, words.rows, words.inner, words.a_row, words.a_column},
                  {words.c, words.rows, words.columns, words.c_row}, {});
}

std::uint32_t run_unpack_weights(std::uint32_t block) {
  const UnpackWeightsBlock& words = *pointer<UnpackWeightsBlock>(block);
  const MatrixView<float> out = {words.out, words.rows, words.columns, words.out_row, words.out_column};
  if (is_int8(words.format)) {
    dequantize_weights({words.panels, words.rows, words.all_columns}, words.first, words.list, out);
  } else {
    unpack_weights(words.panels, words.panel_stride, words.first, words.list, out);
  }
  return static_cast<std::uint32_t>(Status::Ok);
}

std::uint32_t run_arithmetic(std::uint32_t block) {
  const ArithmeticBlock& words = *pointer<ArithmeticBlock>(block);
  const SharedAxes<2> axes = {words.rank, words.lengths, {words.a_strides, words.b_strides}};
  arithmetic({static_cast<Arithmetic>(words.kind), words.scale, axes, words.a, words.b, words.y}, &pool);
  return static_cast<std::uint32_t>(Status::Ok);
}

EMSCRIPTEN_BINDINGS(ops) {
  emscripten::function("matmul", &run_matmul);
  emscripten::function("packWeights", &run_pack_weights);
  emscripten::function("unpackWeights", &run_unpack_weights);
  emscripten::function("softmax", &run_softmax);
  emscripten::function("arithmetic", &run_arithmetic);
  emscripten::function("argmax", &run_argmax);
  emscripten::function("blend", &run_blend);
  emscripten::function("copyStrided", &run_copy);
  emscripten::function("cumulativeSum", &run_cumulative_sum);
  emscripten::function("elementary", &run_elementary);
  emscripten::function("takeRows", &run_take_rows);
  emscripten::function("addRows", &run_add_rows);
}

}  // namespace fovea::wasm
