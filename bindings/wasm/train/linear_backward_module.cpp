/// Gradients of linear attention.

#include <emscripten/bind.h>

#include "abi.hpp"
#include "linear_args.hpp"
#include "linear_attention/linear_backward.hpp"
#include "module.hpp"
#include "ops/unit_rows_backward.hpp"

namespace fovea::wasm {
namespace {

std::uint32_t run_linear_attention_backward(std::uint32_t block) {
  const LinearBackwardBlock& words = *pointer<LinearBackwardBlock>(block);
  const LinearBackwardArgs args = {linear_args(*words.forward), words.d_output, words.d_q, words.d_k, words.d_v};
  return with_workspace(linear_backward_workspace_bytes(args, pool.threads()),
                        [&](Workspace scratch) { return linear_attention_backward(args, scratch, &pool); });
}

std::uint32_t run_unit_rows_backward(std::uint32_t block) {
  const UnitRowsBackwardBlock& words = *pointer<UnitRowsBackwardBlock>(block);
  const UnitRowsBlock& forward = *words.forward;
  const UnitRowsArgs args = {forward.batch,
                             forward.heads,
                             forward.tokens,
                             forward.width,
                             {forward.x, forward.x_batch, forward.x_head, forward.x_token},
                             forward.y};
  unit_rows_backward({args, words.d_y, words.d_x}, &pool);
  return static_cast<std::uint32_t>(Status::Ok);
}

}  // namespace

EMSCRIPTEN_BINDINGS(linear_backward) {
  emscripten::function("linearAttentionBackward", &run_linear_attention_backward);
  emscripten::function("unitRowsBackward", &run_unit_rows_backward);
}

}  // namespace fovea::wasm
