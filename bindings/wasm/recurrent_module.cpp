/// Recurrent layers.

#include <emscripten/bind.h>

#include "blocks.hpp"
#include "module.hpp"
#include "ops/recurrent.hpp"

namespace fovea::wasm {
namespace {

RecurrentDirection direction_of(const RecurrentDirectionBlock& block, bool backward) noexcept {
  RecurrentDirection direction;
  direction.backward = backward;
  direction.weight_ih = pointer<const float>(block.weight_ih);
  direction.weight_hh = pointer<const float>(block.weight_hh);
  direction.bias_ih = pointer<const float>(block.bias_ih);
  direction.bias_hh = pointer<const float>(block.bias_hh);
  direction.weight_hr = pointer<const float>(block.weight_hr);
  direction.initial_hidden = pointer<const float>(block.initial_hidden);
  direction.initial_cell = pointer<const float>(block.initial_cell);
  direction.hidden = pointer<float>(block.hidden);
  direction.cell = pointer<float>(block.cell);
  return direction;
}

RecurrentArgs recurrent_args(const RecurrentBlock& block) noexcept {
  RecurrentArgs args;
  args.cell = static_cast<RecurrentCell>(block.kind);
  args.batch = block.batch;
  args.tokens = block.tokens;
  args.width = block.width;
  args.hidden = block.hidden;
  args.state = block.state;
  args.x = pointer<const float>(block.x);
  args.x_batch = block.x_batch;
  args.x_token = block.x_token;
  args.output = pointer<float>(block.output);
  args.output_batch = block.output_batch;
  args.output_token = block.output_token;
  args.lengths = pointer<const std::int32_t>(block.lengths);
  for (const bool backward : {false, true}) {
    const auto* const direction = pointer<const RecurrentDirectionBlock>(backward ? block.backward : block.forward);
    if (direction != nullptr) args.directions[args.direction_count++] = direction_of(*direction, backward);
  }
  return args;
}

std::uint32_t run_recurrent(std::uint32_t block) {
  const RecurrentArgs args = recurrent_args(*pointer<RecurrentBlock>(block));
  return with_workspace(recurrent_workspace_floats(args, pool.threads()),
                        [&](Workspace scratch) { return recurrent(args, scratch, &pool); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(recurrent) {
  emscripten::function("recurrent", &run_recurrent);
  emscripten::function(
      "recurrentAbiHash", +[] { return recurrent_abi_hash(); });
}

}  // namespace fovea::wasm
