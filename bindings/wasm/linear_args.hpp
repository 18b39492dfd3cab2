#pragma once
/// The arguments of the core that the block of linear attention gives, forward and backward.

#include "abi.hpp"
#include "linear_attention/linear_attention.hpp"
#include "module.hpp"

namespace fovea::wasm {

inline LinearArgs linear_args(const LinearBlock& block) noexcept {
  LinearArgs args;
  read_heads(block, args);
  args.features = {static_cast<FeatureMap>(block.feature_map), block.width, block.random_features, block.projection};
  args.rule = static_cast<UpdateRule>(block.rule);
  args.causal = block.causal != 0;
  args.normalize = block.normalize != 0;
  args.query_scale = block.query_scale;
  args.key_scale = block.key_scale;
  args.output_scale = block.output_scale;
  args.eps = block.eps;
  args.key_lengths = block.key_lengths;
  args.decay = {block.decay, block.decay_batch, block.decay_head, block.decay_token};
  args.decay_width = block.decay_width;
  args.beta = {block.beta, block.beta_batch, block.beta_head, block.beta_token};
  args.chunk = block.chunk;
  args.s = block.s;
  args.z = block.z;
  args.m = block.m;
  return args;
}

}  // namespace fovea::wasm
