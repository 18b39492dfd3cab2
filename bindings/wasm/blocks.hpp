#pragma once
/// The parameter blocks: what one call passes, as 32-bit words in wasm memory. JavaScript writes them by name
/// (bindings/js/abi.ts and the abi.ts of linear_attention, layers, position and recurrent hold the same lists); hashes of the
/// names are compared before any is written.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "attention_blocks.hpp"
#include "layer_blocks.hpp"
#include "linear_blocks.hpp"
#include "ops_blocks.hpp"
#include "pattern_blocks.hpp"
#include "position_blocks.hpp"
#include "recurrent_blocks.hpp"

namespace fovea::wasm {

/// FNV-1a (32 bit) over the names in order, each followed by a line feed.
consteval std::uint32_t hash_names(std::span<const std::span<const std::string_view>> blocks) noexcept {
  std::uint32_t hash = 2166136261u;
  const auto byte = [&hash](char c) { hash = (hash ^ static_cast<std::uint8_t>(c)) * 16777619u; };
  for (const auto names : blocks) {
    for (const std::string_view name : names) {
      for (const char c : name) byte(c);
      byte('\n');
    }
  }
  return hash;
}

/// Of the field names that every page writes by.
consteval std::uint32_t abi_hash() noexcept {
  return hash_names(std::to_array<std::span<const std::string_view>>(
      {kAttentionFields, kAxesFields, kMatmulFields, kSoftmaxFields, kCombineFields, kPartFields, kPatternFields, kLshFields}));
}

/// Of those that only the entry fovea/linear knows.
consteval std::uint32_t linear_abi_hash() noexcept {
  return hash_names(std::to_array<std::span<const std::string_view>>(
      {kLinearFields, kFavorFields, kFeaturesFields, kNormalsFields, kLogarithmFields}));
}

/// Of those that only the entry fovea/ops knows.
consteval std::uint32_t ops_abi_hash() noexcept {
  return hash_names(std::to_array<std::span<const std::string_view>>(
      {kActivationFields, kGateFields, kAddFields, kRowNormFields, kPoolingFields, kConv1dFields, kLinearLayerFields}));
}

/// Of those that recurrent layers are called by.
consteval std::uint32_t recurrent_abi_hash() noexcept {
  return hash_names(std::to_array<std::span<const std::string_view>>({kRecurrentFields, kRecurrentDirectionFields}));
}

/// Of those that only the entry fovea/position knows.
consteval std::uint32_t position_abi_hash() noexcept {
  return hash_names(std::to_array<std::span<const std::string_view>>({kSinusoidalFields, kTableRowsFields, kRotaryFields}));
}

}  // namespace fovea::wasm
