#pragma once
/// Decoding over a cache of float16, one query at a time.

#include "attention/decode/decode_tiles.hpp"
#include "simd/float16.hpp"

namespace fovea {

/// A call of one query over keys and values of float16, which are converted while they are multiplied. Where the layout converts_inline
/// (kv_layout.hpp) their bits are only shifted into a float32: the query and the weights are multiplied with the power of two by
/// which they come too small. The results have the bits of converted rows.
class Float16Query {
 public:
  Float16Query(const AttentionArgs& args, const DecodePartials& partials, const DecodeChunk& chunk,
               const ChunkScratch& scratch) noexcept;

  /// Whether it is such a call, and the tiles are as they are stored.
  [[nodiscard]] bool takes(const AttentionArgs& args, const DecodeChunk& chunk, const TileKeys& keys) noexcept;

  /// The running sums of the query over these tiles.
  void attend(const AttentionArgs& args, const DecodePartials& partials, const DecodeChunk& chunk, const TileKeys& keys,
              const ChunkScratch& scratch) const noexcept;

 private:
  static constexpr float kFactor = 1.0f / simd::kFloat16Scale;
  static constexpr float kLargest = 0x1p15f;  // times the factor less than 2^127; weights are at most exp(kRescaleThreshold)

  bool fits_ = false, is_moved_ = false;
  Streams<Float16Stream> k_, v_;
};

}  // namespace fovea
