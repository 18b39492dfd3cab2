/// Gradients of equations that know no mechanism.

#include <emscripten/bind.h>

#include "abi.hpp"
#include "module.hpp"
#include "ops/arithmetic_backward.hpp"
#include "ops/blend_backward.hpp"
#include "ops/copy_strided_backward.hpp"
#include "ops/cumulative_sum_backward.hpp"
#include "ops/elementary_backward.hpp"
#include "ops/listed_rows_backward.hpp"
#include "ops/softmax_backward.hpp"

namespace fovea::wasm {
namespace {

constexpr auto kOk = static_cast<std::uint32_t>(Status::Ok);

std::uint32_t run_arithmetic_backward(std::uint32_t block) {
  const ArithmeticBackwardBlock& words = *pointer<ArithmeticBackwardBlock>(block);
  const ArithmeticBlock& forward = *words.forward;
  const SharedAxes<2> axes = {forward.rank, forward.lengths, {forward.a_strides, forward.b_strides}};
  arithmetic_backward({{static_cast<Arithmetic>(forward.kind), forward.scale, axes, forward.a, forward.b, forward.y},
                       words.d_y,
                       words.d_a,
                       words.d_b},
                      &pool);
  return kOk;
}

std::uint32_t run_blend_backward(std::uint32_t block) {
  const BlendBackwardBlock& words = *pointer<BlendBackwardBlock>(block);
  const BlendBlock& forward = *words.forward;
  const SharedAxes<3> axes = {forward.rank, forward.lengths, {forward.a_strides, forward.b_strides, forward.gate_strides}};
  blend_backward({{axes, forward.a, forward.b, forward.gate, forward.y}, words.d_y, words.d_a, words.d_b, words.d_gate}, &pool);
  return kOk;
}

std::uint32_t run_copy_backward(std::uint32_t block) {
  const CopyBackwardBlock& words = *pointer<CopyBackwardBlock>(block);
  const CopyBlock& forward = *words.forward;
  copy_strided_backward({forward.rank, forward.lengths, {forward.x_strides, forward.y_strides}}, words.d_y, words.d_x);
  return kOk;
}

std::uint32_t run_cumulative_sum_backward(std::uint32_t block) {
  const CumulativeSumBackwardBlock& words = *pointer<CumulativeSumBackwardBlock>(block);
  const CumulativeSumBlock& forward = *words.forward;
  cumulative_sum_backward(words.d_y, forward.outer, forward.length, forward.inner, words.d_x);
  return kOk;
}

std::uint32_t run_elementary_backward(std::uint32_t block) {
  const ElementaryBackwardBlock& words = *pointer<ElementaryBackwardBlock>(block);
  const ElementaryBlock& forward = *words.forward;
  elementary_backward({static_cast<Elementary>(forward.kind), forward.x, forward.y, forward.count, words.d_y, words.d_x});
  return kOk;
}

std::uint32_t run_softmax_backward(std::uint32_t block) {
  const SoftmaxBackwardBlock& words = *pointer<SoftmaxBackwardBlock>(block);
  const SoftmaxBlock& forward = *words.forward;
  const SoftmaxBackwardArgs args = {static_cast<SoftmaxKind>(forward.kind),
                                    forward.outer,
                                    forward.length,
                                    forward.inner,
                                    forward.x,
                                    forward.y,
                                    words.d_y,
                                    words.d_x};
  return with_workspace(softmax_backward_workspace_bytes(args.n, args.inner, pool.threads()),
                        [&](Workspace scratch) { return softmax_backward(args, scratch, &pool); });
}

ListedRowsBackwardArgs listed_rows(std::uint32_t block) noexcept {
  const ListedRowsBackwardBlock& words = *pointer<ListedRowsBackwardBlock>(block);
  const ListedRowsBlock& forward = *words.forward;
  return {forward.outer, forward.length, forward.inner, forward.indices, forward.count, words.d_y, words.d_x};
}

std::uint32_t run_take_rows_backward(std::uint32_t block) {
  return static_cast<std::uint32_t>(take_rows_backward(listed_rows(block)));
}
std::uint32_t run_add_rows_backward(std::uint32_t block) {
  return static_cast<std::uint32_t>(add_rows_backward(listed_rows(block)));
}

std::uint32_t run_unpack_weights_backward(std::uint32_t block) {
  const UnpackWeightsBackwardBlock& words = *pointer<UnpackWeightsBackwardBlock>(block);
  const UnpackWeightsBlock& forward = *words.forward;
  const MatrixView<const float> d_out = {words.d_out, forward.rows, forward.columns, forward.out_row, forward.out_column};
  return static_cast<std::uint32_t>(
      unpack_weights_backward(d_out, forward.first, forward.list, forward.all_columns, words.d_b));
}

}  // namespace

EMSCRIPTEN_BINDINGS(ops_backward) {
  emscripten::function("arithmeticBackward", &run_arithmetic_backward);
  emscripten::function("blendBackward", &run_blend_backward);
  emscripten::function("copyStridedBackward", &run_copy_backward);
  emscripten::function("cumulativeSumBackward", &run_cumulative_sum_backward);
  emscripten::function("elementaryBackward", &run_elementary_backward);
  emscripten::function("softmaxBackward", &run_softmax_backward);
  emscripten::function("takeRowsBackward", &run_take_rows_backward);
  emscripten::function("addRowsBackward", &run_add_rows_backward);
  emscripten::function("unpackWeightsBackward", &run_unpack_weights_backward);
}

}  // namespace fovea::wasm
