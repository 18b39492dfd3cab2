#include "linear_attention/chunks.hpp"

#include <algorithm>

#include "core/infinity.hpp"
#include "gemm/row_tiles.hpp"
#include "linear_attention/prefetch_rows.hpp"
#include "linear_attention/strips.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::madd;
using simd::splat;
using simd::store;

/// By how much the exponents of a feature may rise in a causal chunk: what an early row sees is divided by the exponential of
/// that, 7e20, so its products with values above 1e-17 are normal numbers. Where keys rise by 12 a token, chunks of 5 tokens take
/// half the time of chunks of 2.
constexpr float kMaxRise = 48.0f;

/// Rows further apart (in floats) are copied before they are read many times.
constexpr std::ptrdiff_t kDenseRows = 128;

/// The keys and values of a chunk, and the sums they are added to.
struct Chunk : LinearChunk {
  /// k <- φ(K), its exponents where they are stabilized;  m[f] <- the highest of them, and before[f]. A causal chunk ends where
  /// one rises too far above the first key's.
  void take_keys(const float* before) noexcept {
    write_features(args.features, args.k.row(head.batch, head.kv_head, from), args.k.token, keys, args.key_scale, scratch.k,
                   sizes.feature_stride);
    if (args.features.is_stabilized()) raise_to_keys(before);
    for (std::size_t j = 0; args.features.map == FeatureMap::Softmax && j < keys; ++j) {
      float* const row = scratch.k + j * sizes.feature_stride;
      std::transform(row, row + sizes.features, head.key_max, row, [](float x, float key_max) { return x - key_max; });
      exponentiate_features(row, sizes.features, 0.0f, 1.0f);
    }
  }

  void raise_to_keys(const float* before) noexcept {
    float *const m = scratch.m, *const first = scratch.spare_m;
    std::copy_n(before, sizes.features, m);
    for (std::size_t j = 0; j < keys; ++j) {
      const float* const x = scratch.k + j * sizes.feature_stride;
      if (j > 0 && args.causal && rises(x, first)) {
        queries = keys = j;
        return;
      }
      raise_stabilizers(x, sizes.features, m);
      if (j == 0) std::copy_n(m, sizes.features, first);
    }
  }

  /// Whether an exponent is too far above `first`.
  [[nodiscard]] bool rises(const float* x, const float* first) const noexcept {
    auto found = splat(0.0f) > splat(0.0f);
    std::size_t f = 0;
    for (; f + f32::size <= sizes.features; f += f32::size) {
      found = found | (load(x + f) > load(first + f) + splat(kMaxRise));
    }
    bool rose = found.mask() != 0;
    for (; f < sizes.features; ++f) rose = rose || x[f] > first[f] + kMaxRise;
    return rose;
  }

  /// k <- exp(k - m)
  void stabilize_keys() const noexcept {
    if (!args.features.is_stabilized()) return;
    for (std::size_t j = 0; j < keys; ++j) {
      exponentiate_features(scratch.k + j * sizes.feature_stride, sizes.features, scratch.m, args.features.weight());
    }
  }

  /// V is read as it lies, unless its last panel is not whole or its rows are so far apart that they would fight for the same
  /// few sets of the nearest cache.
  void take_values() noexcept {
    const std::ptrdiff_t apart = args.v.token;
    if (args.value_width % kNr == 0 && apart >= 0 && apart <= kDenseRows) {
      values = {args.v.row(head.batch, head.kv_head, from), static_cast<std::size_t>(apart), kNr};
      is_finite = read_values</*pack=*/false>();
    } else {
      values = {scratch.v, kNr, keys * kNr};
      is_finite = read_values</*pack=*/true>();
    }
  }

  /// Whether V is finite;   v <- column panels of V
  template <bool kPack>
  [[nodiscard]] bool read_values() const noexcept {
    const std::size_t depth = keys, width = args.value_width;
    f32 left = splat(0.0f), right = left;  // stay 0 unless something times 0 is NaN
    for (std::size_t j = 0; j < depth; ++j) {
      const float* const row = args.v.row(head.batch, head.kv_head, from + j);
      float* to = scratch.v + j * kNr;
      for (std::size_t c = 0; c < width; c += kNr, to += depth * kNr) {
        float padded[kNr] = {};
        const bool is_whole = !kPack || c + kNr <= width;
        if (!is_whole) std::copy(row + c, row + width, padded);
        const float* const here = is_whole ? row + c : padded;
        const f32 x = load(here), y = load(here + f32::size);
        if constexpr (kPack) {
          store(to, x);
          store(to + f32::size, y);
        }
        left = madd(x, splat(0.0f), left);
        right = madd(y, splat(0.0f), right);
      }
    }
    return simd::reduce_add(left + right) == 0.0f;
  }

  /// s <- s + φ(K)ᵀ (V, 1);   where there is a start, state <- start + s
  void add_to(const LinearSums& part, const LinearSums* start) const noexcept {
    const TransposedSums sums = {part.s, start != nullptr ? start->s : nullptr, start != nullptr ? scratch.state : nullptr};
    accumulate_transpose(scratch.k, sizes.feature_stride, sizes.features, values, keys, sizes.panels, sums);
    if (!sizes.has_ones) return;
    const std::size_t count = keys, stride = sizes.feature_stride, at = sizes.z_at(0);
    for (std::size_t f = 0; f < stride; f += f32::size) {
      const float* k = scratch.k + f;
      f32 sum = load(part.s + at + f);
      for (std::size_t j = 0; j < count; ++j, k += stride) sum = sum + load(k);
      store(part.s + at + f, sum);
      if (start != nullptr) store(scratch.state + at + f, load(start->s + at + f) + sum);
    }
  }

  /// state_m <- the highest of a's, b's and the chunk's;  state <- a exp(a.m - state_m) + b exp(b.m - state_m)
  void take_state(const LinearSums& a, const LinearSums& b) noexcept {
    const LinearSums state = {scratch.state, scratch.state_m};
    a.copy_to(sizes, state);
    if (sizes.stabilizers == 0) return add_vectors(state.s, b.s, sizes.sum_floats(), state.s);
    std::copy_n(a.m, sizes.features, scratch.spare_m);
    raise_stabilizers(b.m, sizes.features, scratch.spare_m);
    if (keys > 0) raise_stabilizers(scratch.m, sizes.features, scratch.spare_m);
    state.rescale_and_add(sizes, scratch.spare_m, b);
  }
};

/// Tokens of a chunk. Without a causal mask no query waits for sums: a chunk has all keys that there is room for.
std::size_t chunk_of(const LinearArgs& args) noexcept { return args.causal ? std::min(args.chunk, kLinearChunk) : kLinearKeys; }

/// How many of [from, to) are below `length`.
std::size_t count_below(std::size_t length, std::size_t from, std::size_t to) noexcept {
  return std::min(to, std::max(from, length)) - from;
}

}  // namespace

void attend_segment(const LinearArgs& args, const LinearHead& head, std::size_t from, const LinearSums* start,
                    const LinearSums& part, const LinearScratch& scratch) noexcept {
  const LinearSizes sizes(args, /*in_panels=*/true);
  const std::size_t length = args.length(head.batch), end = std::min(args.keys, from + kLinearSegment);
  const bool is_stabilized = args.features.is_stabilized();
  part.clear(sizes);
  std::size_t touched = from;
  for (std::size_t at = from; at < end;) {
    if (start != nullptr && at >= touched)
      touched = at + prefetch_tokens(args, head.batch, head.kv_head, at, end, scratch.touched);
    const std::size_t to = std::min(end, at + chunk_of(args));
    Chunk chunk = {{args, sizes, head, scratch, at, to - at, count_below(length, at, to)}};
    chunk.take_keys(part.m);
    chunk.stabilize_keys();
    chunk.take_values();
    if (start != nullptr) {
      if (is_stabilized || at == from) chunk.take_state(*start, part);
      attend_chunk(chunk, chunk.keys > 0);
    }
    at += chunk.queries;
    if (chunk.keys == 0) continue;
    if (is_stabilized) part.rescale(sizes, scratch.m);
    chunk.add_to(part, is_stabilized ? nullptr : start);
  }
}

void read_segment(const LinearArgs& args, const LinearHead& head, std::size_t from, const LinearSums& sums,
                  const LinearScratch& scratch) noexcept {
  const LinearSizes sizes(args, /*in_panels=*/true);
  const std::size_t end = std::min(args.queries, from + kLinearSegment);
  LinearChunk chunk = {args, sizes, head, scratch, from, end - from, 0};
  sums.copy_to(sizes, {scratch.state, scratch.state_m});
  attend_chunk(chunk, /*with_keys=*/false);
}

}  // namespace fovea
