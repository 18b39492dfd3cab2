#pragma once
/// The arguments of attention in a block, for its operations and their gradients.

#include "abi.hpp"
#include "attention/problem/attention_args.hpp"

namespace fovea::wasm {

AttentionArgs attention_args(const AttentionBlock& block) noexcept;

}  // namespace fovea::wasm
