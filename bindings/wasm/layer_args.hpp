#pragma once
/// The arguments of the core that the blocks of layers and of rotary positions give, forward and backward.

#include "abi.hpp"
#include "ops/activations.hpp"
#include "ops/conv1d.hpp"
#include "ops/pooling.hpp"
#include "ops/rotary.hpp"
#include "ops/row_norm.hpp"

namespace fovea::wasm {

template <class Block>
ActivationArgs activation_of(const Block& words) noexcept {
  return {static_cast<Activation>(words.activation), words.parameter};
}

inline PoolingArgs pooling_args(const PoolingBlock& words) noexcept {
  return {static_cast<Pooling>(words.kind),
          words.outer,
          words.length,
          words.out_length,
          words.inner,
          words.kernel,
          words.stride,
          words.padding,
          words.count_padding != 0,
          words.x,
          words.y};
}

inline Conv1dArgs conv1d_args(const Conv1dBlock& words) noexcept {
  return {words.batch,
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
}

inline RowNormArgs row_norm_args(const RowNormBlock& words) noexcept {
  return {static_cast<RowNorm>(words.kind),
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
}

inline RotaryArgs rotary_args(const RotaryBlock& words) noexcept {
  RotaryArgs args;
  args.interleaved = words.interleaved != 0;
  args.batch = words.batch;
  args.heads = words.heads;
  args.tokens = words.tokens;
  args.width = words.width;
  args.rotary = words.rotary;
  args.x = {words.x, words.x_batch, words.x_head, words.x_token};
  args.out = {words.output, words.output_batch, words.output_head, words.output_token};
  args.positions = words.positions;
  args.positions_batch = words.positions_batch;
  args.start = words.start;
  args.frequencies = {words.base,           words.scale,          words.ntk, words.factor, words.low_frequency,
                      words.high_frequency, words.original_tokens};
  args.cos = words.cos;
  args.sin = words.sin;
  args.table_rows = words.table_rows;
  return args;
}

}  // namespace fovea::wasm
