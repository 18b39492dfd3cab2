#pragma once
/// The parameter blocks of recurrent layers.

#include <array>
#include <cstdint>
#include <string_view>

namespace fovea::wasm {

/// `forward` and `backward` point to a RecurrentDirectionBlock each; 0 = the layer has no such direction.
struct RecurrentBlock {
  std::uint32_t kind, batch, tokens, width, hidden, state;
  std::uint32_t x;
  std::int32_t x_batch, x_token;
  std::uint32_t output;
  std::int32_t output_batch, output_token;
  std::uint32_t lengths, forward, backward;
};
inline constexpr std::array kRecurrentFields = std::to_array<std::string_view>({
    "kind",
    "batch",
    "tokens",
    "width",
    "hidden",
    "state",
    "x",
    "xBatch",
    "xToken",
    "output",
    "outputBatch",
    "outputToken",
    "lengths",
    "forward",
    "backward",
});
static_assert(sizeof(RecurrentBlock) == 4 * kRecurrentFields.size());

struct RecurrentDirectionBlock {
  std::uint32_t weight_ih, weight_hh, bias_ih, bias_hh, weight_hr, initial_hidden, initial_cell, hidden, cell;
};
inline constexpr std::array kRecurrentDirectionFields = std::to_array<std::string_view>({
    "weightIh",
    "weightHh",
    "biasIh",
    "biasHh",
    "weightHr",
    "initialHidden",
    "initialCell",
    "lastHidden",
    "lastCell",
});
static_assert(sizeof(RecurrentDirectionBlock) == 4 * kRecurrentDirectionFields.size());

}  // namespace fovea::wasm
