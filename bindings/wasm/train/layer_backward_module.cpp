/// Gradients of layers and of position vectors.

#include <emscripten/bind.h>

#include "abi.hpp"
#include "layer_args.hpp"
#include "module.hpp"
#include "ops/activations_backward.hpp"
#include "ops/conv1d_backward.hpp"
#include "ops/listed_rows_backward.hpp"
#include "ops/pooling_backward.hpp"
#include "ops/rotary_backward.hpp"
#include "ops/row_norm_backward.hpp"

namespace fovea::wasm {
namespace {

std::uint32_t run_activation_backward(std::uint32_t block) {
  const ActivationBackwardBlock& words = *pointer<ActivationBackwardBlock>(block);
  const ActivationBlock& forward = *words.forward;
  return static_cast<std::uint32_t>(
      activate_rows_backward({activation_of(forward), forward.x, forward.x_row, forward.rows, forward.columns,
                              /*x_is_result=*/forward.x == forward.y, words.d_y, words.d_x, words.fresh != 0},
                             &pool));
}

std::uint32_t run_gate_backward(std::uint32_t block) {
  const GateBackwardBlock& words = *pointer<GateBackwardBlock>(block);
  const GateBlock& forward = *words.forward;
  gate_rows_backward(activation_of(forward), forward.x, forward.rows, forward.half, words.d_y, words.d_x, &pool);
  return static_cast<std::uint32_t>(Status::Ok);
}

std::uint32_t run_row_norm_backward(std::uint32_t block) {
  const RowNormBackwardBlock& words = *pointer<RowNormBackwardBlock>(block);
  const RowNormBackwardArgs args = {
      row_norm_args(*words.forward), words.d_y, words.d_x, words.d_residual, words.d_weight, words.d_bias};
  return with_workspace(row_norm_backward_workspace_bytes(args, pool.threads()),
                        [&](Workspace scratch) { return row_norm_backward(args, scratch, &pool); });
}

std::uint32_t run_pooling_backward(std::uint32_t block) {
  const PoolingBackwardBlock& words = *pointer<PoolingBackwardBlock>(block);
  pool_windows_backward({pooling_args(*words.forward), words.d_y, words.d_x}, &pool);
  return static_cast<std::uint32_t>(Status::Ok);
}

std::uint32_t run_conv1d_backward(std::uint32_t block) {
  const Conv1dBackwardBlock& words = *pointer<Conv1dBackwardBlock>(block);
  const Conv1dBackwardArgs args = {conv1d_args(*words.forward), words.d_y, words.d_x, words.d_weight, words.d_bias};
  return with_workspace(conv1d_backward_workspace_bytes(args, pool.threads()),
                        [&](Workspace scratch) { return conv1d_backward(args, scratch, &pool); });
}

std::uint32_t run_table_rows_backward(std::uint32_t block) {
  const TableRowsBackwardBlock& words = *pointer<TableRowsBackwardBlock>(block);
  const TableRowsBlock& forward = *words.forward;
  return static_cast<std::uint32_t>(table_rows_backward(words.d_table, forward.rows, forward.width, forward.positions,
                                                        forward.start, forward.tokens, words.d_y));
}

std::uint32_t run_rotary_backward(std::uint32_t block) {
  const RotaryBackwardBlock& words = *pointer<RotaryBackwardBlock>(block);
  const RotaryBackwardArgs args = {rotary_args(*words.forward), words.d_output, words.d_x};
  return with_workspace(rotary_backward_workspace_bytes(args, pool.threads()),
                        [&](Workspace scratch) { return rotary_backward(args, scratch, &pool); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(layers_backward) {
  emscripten::function("activationBackward", &run_activation_backward);
  emscripten::function("gateBackward", &run_gate_backward);
  emscripten::function("rowNormBackward", &run_row_norm_backward);
  emscripten::function("poolingBackward", &run_pooling_backward);
  emscripten::function("conv1dBackward", &run_conv1d_backward);
  emscripten::function("tableRowsBackward", &run_table_rows_backward);
  emscripten::function("rotaryBackward", &run_rotary_backward);
}

}  // namespace fovea::wasm
