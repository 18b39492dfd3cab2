/// The gradient of attention over pairs.

#include <emscripten/bind.h>

#include "abi.hpp"
#include "attention/backward/attention_backward.hpp"
#include "attention_args.hpp"
#include "module.hpp"

namespace fovea::wasm {
namespace {

std::uint32_t run_attention_backward(std::uint32_t block) {
  const AttentionBackwardBlock& words = *pointer<AttentionBackwardBlock>(block);
  const AttentionBlock& forward = *words.forward;
  AttentionBackwardArgs args;
  args.forward = attention_args(forward);
  args.lse = forward.lse;
  args.d_output = {words.d_output, forward.output_batch, forward.output_head, forward.output_token};
  args.d_weights = words.d_weights;
  args.d_sparse_weights = words.d_sparse_values;
  args.d_lse = words.d_lse;
  args.d_q = {words.d_q, forward.q_batch, forward.q_head, forward.q_token};
  args.d_k = {words.d_k, forward.k_batch, forward.k_head, forward.k_token};
  args.d_v = {words.d_v, forward.v_batch, forward.v_head, forward.v_token};
  args.d_float_mask = words.d_float_mask;
  args.d_key_float_mask = words.d_key_float_mask;
  args.d_sinks = words.d_sinks;
  args.d_pair_bias = words.d_pair_bias;
  args.d_relative_bias = words.d_relative_bias;
  args.d_bucket_table = words.d_bucket_table;
  args.d_relative_keys = words.d_relative_keys;
  args.d_relative_values = words.d_relative_values;
  args.d_weight_scale = words.d_weight_scale;
  args.d_score_weights = words.d_score_weights;
  args.d_edge_biases = words.d_edge_biases;
  return with_workspace(attention_backward_workspace_bytes(args, pool.threads()),
                        [&](Workspace scratch) { return attention_backward(args, scratch, &pool); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention_backward) { emscripten::function("attentionBackward", &run_attention_backward); }

}  // namespace fovea::wasm
