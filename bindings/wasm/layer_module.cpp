/// Layers: activations, gates, normalization, pooling, convolution.

#include <emscripten/bind.h>

#include "abi.hpp"
#include "listed_operations.hpp"
#include "module.hpp"
#include "ops/activations.hpp"
#include "ops/conv1d.hpp"
#include "ops/pooling.hpp"
#include "ops/row_norm.hpp"
#include "products.hpp"

namespace fovea::wasm {
namespace {

constexpr auto kOk = static_cast<std::uint32_t>(Status::Ok);

template <class Block>
ActivationArgs activation_of(const Block& words) noexcept {
  return {static_cast<Activation>(words.activation), words.parameter};
}

std::uint32_t run_pooling(std::uint32_t block) {
  const PoolingBlock& words = *pointer<PoolingBlock>(block);
  pool_windows({static_cast<Pooling>(words.kind), words.outer, words.length, words.out_length, words.inner, words.kernel,
                words.stride, words.padding, words.count_padding != 0, words.x, words.y},
               &pool);
  return kOk;
}

std::uint32_t run_conv1d(std::uint32_t block) {
  const Conv1dBlock& words = *pointer<Conv1dBlock>(block);
  const Conv1dArgs args = {words.batch,
                           words.in_channels,
                           words.out_channels,
                           words.groups,
                           words.tokens,
                           words.out_tokens,
                           words.kernel,
                           words.stride,
                           words.dilation,
                           words.padding,
                           words.channels_last != 0,
                           words.x,
                           words.weight,
                           words.bias,
                           words.y};
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
  const RowNormBlock& words = *pointer<RowNormBlock>(block);
  const RowNormArgs args = {static_cast<RowNorm>(words.kind),
                            words.outer,
                            words.length,
                            words.inner,
                            words.x,
                            words.x_outer,
                            words.residual,
                            words.weight,
                            words.bias,
                            words.eps,
                            words.y};
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
