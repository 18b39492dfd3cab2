#include "linear_attention/strips.hpp"

#include <algorithm>

#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

constexpr float kLanes[f32::size] = {0, 1, 2, 3};

/// k_columns <- k_columns exp(m - state_m): the queries' features are relative to the state's stabilizers
void scale_key_columns(const LinearChunk& chunk) noexcept {
  const LinearSizes& sizes = chunk.sizes;
  const LinearScratch& scratch = chunk.scratch;
  for (std::size_t f = 0; f < sizes.stabilizers; ++f) {
    if (scratch.m[f] == scratch.state_m[f]) continue;
    const f32 factor = splat(rescale_factor(scratch.m[f], scratch.state_m[f]));
    for (std::size_t j = 0; j < chunk.keys; j += kNr) {
      float* const row = scratch.k_columns + j * sizes.features + f * kNr;
      for (std::size_t n = 0; n < kNr; n += f32::size) store(row + n, load(row + n) * factor);
    }
  }
}

/// Some queries of a chunk.
struct Strip {
  std::size_t first, rows, keys;  // keys: of the chunk, that its last query sees
  float exponent[kMr] = {}, divisor[kMr] = {};
};

/// The queries of a chunk: what they see, and their rows.
struct Queries : LinearChunk {
  /// q <- φ(Q) of a strip;   exponent[r] <- what its outputs are divided by the exponential of
  void take_queries(std::size_t query_head, Strip& strip) const noexcept {
    const std::size_t count = sizes.features, stride = sizes.query_stride();
    write_features(args.features, args.q.row(head.batch, query_head, from + strip.first), args.q.token, strip.rows,
                   args.query_scale, scratch.q, stride);
    for (std::size_t r = 0; r < strip.rows; ++r) {
      float* const row = scratch.q + r * stride;
      if (args.features.map == FeatureMap::Softmax) softmax_features(row, count);
      if (args.features.is_stabilized()) {
        add_vectors(row, scratch.state_m, count, row);
        strip.exponent[r] = max_of(row, count);
        exponentiate_features(row, count, strip.exponent[r], args.features.weight());
      }
      float* block = scratch.q_blocks + r * kStripStride;
      for (std::size_t f = 0; count > kStripStride && f < count; f += kStripStride, block += kMr * kStripStride) {
        std::copy_n(row + f, std::min(count - f, kStripStride), block);
      }
    }
  }

  /// scores <- φ(Q) φ(K)ᵀ of a strip, each query with the keys up to itself;   divisor[r] <- their sum
  void score_keys(Strip& strip) const noexcept {
    const std::size_t depth = strip.keys, columns = round_up(depth, kNr);
    multiply_strip(scratch.q_blocks, {scratch.k_columns, kNr, sizes.features * kNr}, sizes.features, columns / kNr,
                   scratch.scores, kRowStride);
    const f32 zero = splat(0.0f);
    for (std::size_t r = 0; r < strip.rows; ++r) {
      float* const scores = scratch.scores + r * kRowStride;
      const f32 last = splat(static_cast<float>(std::min(strip.first + r, depth - 1)));
      f32 sum = zero, column = load(kLanes);
      for (std::size_t j = 0; j < columns; j += f32::size, column = column + splat(float{f32::size})) {
        const f32 seen = simd::select(column <= last, load(scores + j), zero);
        sum = sum + seen;
        store(scores + j, seen);
      }
      strip.divisor[r] = simd::reduce_add(sum);
    }
  }

  /// The chunk's own keys first: added to the state's product one by one, each would be rounded to its size.
  [[nodiscard]] FusedProducts products(std::size_t seen) const noexcept {
    return {scratch.scores, values, seen, scratch.q_blocks, {scratch.state, kNr, sizes.rows * kNr}, sizes.features};
  }

  void write_row(const Strip& strip, std::size_t r, float* out) const noexcept {
    float* const o = scratch.o + r * sizes.stride;
    if (args.normalize) o[args.value_width] = strip.divisor[r];
    write_linear_row(args, o, strip.exponent[r], out + static_cast<std::ptrdiff_t>(r) * args.output.token);
  }

  void write_rows(const Strip& strip, float* out) const noexcept {
    const bool is_whole = strip.rows == kMr && args.value_width % kNr == 0;
    const bool is_scaled_in_float = args.normalize || !args.features.is_stabilized();
    if (is_whole && is_scaled_in_float && sizes.features <= kStripStride) {
      float divisor[kMr];
      for (std::size_t r = 0; r < kMr; ++r) divisor[r] = linear_divisor(args, strip.divisor[r], strip.exponent[r]);
      return multiply_fused(products(strip.keys), sizes.panels,
                            {out, args.output.token, args.output_scale, args.normalize ? divisor : nullptr});
    }
    multiply_fused(products(strip.keys), sizes.panels, {scratch.o, static_cast<std::ptrdiff_t>(sizes.stride)});
    for (std::size_t r = 0; r < strip.rows; ++r) write_row(strip, r, out);
  }

  /// The outputs of a strip of queries of one head: of the state, and in a causal call of the chunk's keys up to each query.
  void attend_strip(std::size_t query_head, std::size_t first, bool with_keys) const noexcept {
    const std::size_t rows = std::min(kMr, queries - first);
    Strip strip = {first, rows, with_keys ? std::min(keys, first + rows) : 0};
    take_queries(query_head, strip);
    if (with_keys) score_keys(strip);
    for (std::size_t r = 0; args.normalize && r < rows; ++r) {
      strip.divisor[r] += sum_of_products(scratch.q + r * sizes.query_stride(), scratch.state + sizes.z_at(0), sizes.features);
    }
    float* const out = args.output.row(head.batch, query_head, from + first);
    if (is_finite || !with_keys) return write_rows(strip, out);
    // Scores of later keys are 0, but 0 times infinity is NaN.
    for (std::size_t r = 0; r < rows; ++r) {
      multiply_fused_row(products(std::min(strip.keys, first + r + 1)), r, sizes.panels, scratch.o + r * sizes.stride);
      write_row(strip, r, out);
    }
  }
};

}  // namespace

void attend_chunk(const LinearChunk& chunk, bool with_keys) noexcept {
  const LinearArgs& args = chunk.args;
  if (with_keys) {
    pack_columns_of_transpose({chunk.scratch.k, static_cast<std::ptrdiff_t>(chunk.sizes.feature_stride)}, chunk.keys,
                              chunk.sizes.features, chunk.scratch.k_columns);
    scale_key_columns(chunk);
  }
  const Queries queries = {chunk};
  const std::size_t first_head = chunk.head.kv_head * args.group();
  for (std::size_t h = first_head; h < first_head + args.group(); ++h) {
    for (std::size_t row = 0; row < chunk.queries; row += kMr) queries.attend_strip(h, row, with_keys);
  }
}

}  // namespace fovea
