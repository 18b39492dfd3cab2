/// Layers: activations, gates, normalization, pooling, convolution.

#include <emscripten/bind.h>

#include "abi.hpp"
#include "layer_args.hpp"
#include "listed_operations.hpp"
#include "module.hpp"
#include "products.hpp"

namespace fovea::wasm {
namespace {

constexpr auto kOk = static_cast<std::uint32_t>(Status::Ok);

std::uint32_t run_pooling(std::uint32_t block) {
  pool_windows(pooling_args(*pointer<PoolingBlock>(block)), &pool);
  return kOk;
}

std::uint32_t run_conv1d(std::uint32_t block) {
  const Conv1dArgs args = conv1d_args(*pointer<Conv1dBlock>(block));
  return with_workspace(conv1d_workspace_bytes(args, pool.threads()),
                        [&](Workspace scratch) { return conv1d(args, scratch, &pool); });
}

std::uint32_t run_linear_layer(std::uint32_t block) {
  const LinearLayerBlock& words = *pointer<LinearLayerBlock>(block);
  const ActivationArgs function = activation_of(words);
  return multiply(words, {words.a, words.rows, words.inner, words.a_row},
                  {words.c, words.rows, words.columns, static_cast<std::ptrdiff_t>(words.columns)}, epilogue_of(function));
}

}  // namespace

std::uint32_t run_activation(std::uint32_t block) {
  const ActivationBlock& words = *pointer<ActivationBlock>(block);
  activate_rows(activation_of(words), words.x, words.x_row, words.rows, words.columns, words.y, &pool);
  return kOk;
}

std::uint32_t run_gate(std::uint32_t block) {
  const GateBlock& words = *pointer<GateBlock>(block);
  gate_rows(activation_of(words), words.x, words.rows, words.half, words.y, &pool);
  return kOk;
}

std::uint32_t run_row_norm(std::uint32_t block) {
  const RowNormArgs args = row_norm_args(*pointer<RowNormBlock>(block));
  return with_workspace(row_norm_workspace_bytes(args.n, args.inner, pool.threads()),
                        [&](Workspace scratch) { return row_norm(args, scratch, &pool); });
}

EMSCRIPTEN_BINDINGS(layers) {
  emscripten::function("activation", &run_activation);
  emscripten::function("gate", &run_gate);
  emscripten::function("rowNorm", &run_row_norm);
  emscripten::function("pooling", &run_pooling);
  emscripten::function("conv1d", &run_conv1d);
  emscripten::function("linearLayer", &run_linear_layer);
}

}  // namespace fovea::wasm
