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

/// By how much the exponents of a causal chunk may rise: what an early row sees is divided by the exponential of that.
constexpr float kHighestRise = 20.0f;

/// Rows further apart (in floats) are copied before they are read many times.
constexpr std::ptrdiff_t kDenseRows = 128;

/// The keys and values of a chunk, and the sums they are added to.
struct Chunk : LinearChunk {
  /// k <- φ(K), its exponents where they are stabilized;  m <- the highest of them, and of `before`. A causal chunk ends where
  /// they rise too far above the first key's.
  void take_keys(float before) noexcept {
    m = before;
    write_features(args.features, args.k.row(head.batch, head.kv_head, from), args.k.token, keys, args.key_scale, scratch.k,
                   sizes.feature_stride);
    for (std::size_t j = 0; args.features.is_stabilized() && j < keys; ++j) {
      const float highest = highest_of(scratch.k + j * sizes.feature_stride, sizes.features);
      if (j == 0) before = std::max(before, highest);
      if (args.causal && highest > before + kHighestRise) {
        queries = keys = j;
        break;
      }
      m = std::max(m, highest);
    }
    for (std::size_t j = 0; args.features.map == FeatureMap::Softmax && j < keys; ++j) {
      float* const row = scratch.k + j * sizes.feature_stride;
      std::transform(row, row + sizes.features, head.highest, row, [](float x, float highest) { return x - highest; });
      exponentiate_features(row, sizes.features, 0.0f, 1.0f);
    }
  }

  /// k <- exp(k - m)
  void stabilize_keys() const noexcept {
    if (!args.features.is_stabilized()) return;
    for (std::size_t j = 0; j < keys; ++j) {
      exponentiate_features(scratch.k + j * sizes.feature_stride, sizes.features, m, args.features.weight());
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
  void add_to(LinearSums& part, const LinearSums* start) const noexcept {
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

  /// state <- a exp(a.m - state_m) + b exp(b.m - state_m)
  void take_state(const LinearSums& a, const LinearSums& b) noexcept {
    state_m = std::max(a.m, b.m);
    if (keys > 0) state_m = std::max(state_m, m);
    const f32 a_shrink = splat(shrink_of(a.m, state_m)), b_shrink = splat(shrink_of(b.m, state_m));
    const float *const x = a.s, *const y = b.s;
    float* const to = scratch.state;
    const std::size_t count = sizes.sum_floats();
    for (std::size_t i = 0; i < count; i += f32::size) store(to + i, madd(load(y + i), b_shrink, load(x + i) * a_shrink));
  }
};

/// Where no query waits for them, keys are summed as many at once as there is room for.
std::size_t chunk_of(const LinearArgs& args) noexcept { return args.causal ? std::min(args.chunk, kLinearChunk) : kLinearKeys; }

/// How many of [from, to) are below `length`.
std::size_t count_below(std::size_t length, std::size_t from, std::size_t to) noexcept {
  return std::min(to, std::max(from, length)) - from;
}

}  // namespace

void attend_segment(const LinearArgs& args, const LinearHead& head, std::size_t from, const LinearSums* start, LinearSums& part,
                    const LinearScratch& scratch) noexcept {
  const LinearSizes sizes(args, /*in_panels=*/true);
  const std::size_t length = args.length(head.batch), end = std::min(args.keys, from + kLinearSegment);
  const bool is_stabilized = args.features.is_stabilized();
  part.clear(sizes, is_stabilized);
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
    part.raise(sizes, chunk.m);
    chunk.add_to(part, is_stabilized ? nullptr : start);
  }
}

void read_segment(const LinearArgs& args, const LinearHead& head, std::size_t from, const LinearSums& sums,
                  const LinearScratch& scratch) noexcept {
  const LinearSizes sizes(args, /*in_panels=*/true);
  const std::size_t end = std::min(args.queries, from + kLinearSegment);
  LinearChunk chunk = {args, sizes, head, scratch, from, end - from, 0};
  chunk.state_m = sums.m;
  std::copy_n(sums.s, sizes.sum_floats(), scratch.state);
  attend_chunk(chunk, /*with_keys=*/false);
}

}  // namespace fovea
