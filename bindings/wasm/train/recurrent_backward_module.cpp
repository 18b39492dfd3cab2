/// Gradients of recurrent layers.

#include <emscripten/bind.h>

#include "abi.hpp"
#include "module.hpp"
#include "ops/recurrent_backward.hpp"
#include "recurrent_args.hpp"

namespace fovea::wasm {
namespace {

RecurrentDirectionGradients gradients_of(const RecurrentDirectionBackwardBlock* words) noexcept {
  if (words == nullptr) return {};
  return {words->d_weight_ih,      words->d_weight_hh,    words->d_bias_ih,     words->d_bias_hh,  words->d_weight_hr,
          words->d_initial_hidden, words->d_initial_cell, words->d_last_hidden, words->d_last_cell};
}

std::uint32_t run_recurrent_backward(std::uint32_t block) {
  const RecurrentBackwardBlock& words = *pointer<RecurrentBackwardBlock>(block);
  RecurrentBackwardArgs args;
  args.forward = recurrent_args(*words.forward);
  args.d_output = words.d_output;
  args.d_x = words.d_x;
  for (std::size_t d = 0; d < args.forward.direction_count; ++d)
    args.directions[d] = gradients_of(args.forward.directions[d].backward ? words.d_backward : words.d_forward);
  return with_workspace(recurrent_backward_workspace_bytes(args, pool.threads()),
                        [&](Workspace scratch) { return recurrent_backward(args, scratch, &pool); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(recurrent_backward) { emscripten::function("recurrentBackward", &run_recurrent_backward); }

}  // namespace fovea::wasm
