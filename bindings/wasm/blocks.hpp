#pragma once
/// The parameter blocks: what one call passes, as 32-bit words in wasm memory. JavaScript writes them by name
/// (bindings/js/abi.ts holds the same lists); a hash of the names is compared when the module is loaded.

#include "attention_blocks.hpp"
#include "linear_blocks.hpp"
#include "ops_blocks.hpp"
#include "pattern_blocks.hpp"

namespace fovea::wasm {

/// FNV-1a (32 bit) over the field names of all blocks in order, each followed by a line feed.
consteval std::uint32_t abi_hash() noexcept {
  std::uint32_t hash = 2166136261u;
  const auto byte = [&hash](char c) { hash = (hash ^ static_cast<std::uint8_t>(c)) * 16777619u; };
  const auto fields = [&byte](const auto& names) {
    for (const std::string_view name : names) {
      for (const char c : name) byte(c);
      byte('\n');
    }
  };
  fields(kAttentionFields);
  fields(kMatmulFields);
  fields(kSoftmaxFields);
  fields(kCombineFields);
  fields(kPartFields);
  fields(kPatternFields);
  fields(kLshFields);
  fields(kLinearFields);
  fields(kFavorFields);
  fields(kFeaturesFields);
  return hash;
}

}  // namespace fovea::wasm
