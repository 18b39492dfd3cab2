#pragma once
/// The arguments of the core that the block of a recurrent layer gives, forward and backward.

#include "abi.hpp"
#include "ops/recurrent.hpp"

namespace fovea::wasm {

inline RecurrentDirection direction_of(const RecurrentDirectionBlock& block, bool backward) noexcept {
  RecurrentDirection direction;
  direction.backward = backward;
  direction.weight_ih = block.weight_ih;
  direction.weight_hh = block.weight_hh;
  direction.bias_ih = block.bias_ih;
  direction.bias_hh = block.bias_hh;
  direction.weight_hr = block.weight_hr;
  direction.initial_hidden = block.initial_hidden;
  direction.initial_cell = block.initial_cell;
  direction.hidden = block.last_hidden;
  direction.cell = block.last_cell;
  return direction;
}

inline RecurrentArgs recurrent_args(const RecurrentBlock& block) noexcept {
  RecurrentArgs args;
  args.cell = static_cast<RecurrentCell>(block.kind);
  args.update_replaces = block.update_replaces != 0;
  args.batch = block.batch;
  args.tokens = block.tokens;
  args.width = block.width;
  args.hidden = block.hidden;
  args.state = block.state;
  args.x = block.x;
  args.x_batch = block.x_batch;
  args.x_token = block.x_token;
  args.output = block.output;
  args.output_batch = block.output_batch;
  args.output_token = block.output_token;
  args.lengths = block.lengths;
  for (const bool backward : {false, true}) {
    const auto* const direction = backward ? block.backward : block.forward;
    if (direction != nullptr) args.directions[args.direction_count++] = direction_of(*direction, backward);
  }
  return args;
}

}  // namespace fovea::wasm
