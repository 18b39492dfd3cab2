#include "linear_attention/state_update.hpp"

#include <cstddef>
#include <type_traits>

#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::madd;
using simd::splat;
using simd::store;

/// The columns [c, c + 4 kCount) of the state and of the block's rows. What the compiler cannot know to lie apart from the
/// state, and so would load anew after every store, is copied first.
template <std::size_t kCount>
struct StateColumns {
  const LinearSizes& sizes;
  const TokenBlock& block;
  float* s;
  std::size_t c;

  [[nodiscard]] const float* features(const float* rows, std::size_t row) const noexcept {
    return rows + row * sizes.feature_stride;
  }

  /// sum[r] <- Σ_f x[r][f] s[f]
  template <std::size_t kRows>
  void sum_up(const float* x, f32 (&sum)[kRows][kCount]) const noexcept {
    for (auto& row : sum)
      for (f32& a : row) a = splat(0.0f);
    const std::size_t count = sizes.features, stride = sizes.stride;
    const float* from = s + c;
    for (std::size_t f = 0; f < count; ++f, from += stride) {
      for (std::size_t r = 0; r < kRows; ++r) {
        const f32 a = splat(x[r * sizes.feature_stride + f]);
        for (std::size_t n = 0; n < kCount; ++n) sum[r][n] = madd(a, load(from + n * f32::size), sum[r][n]);
      }
    }
  }

  /// o <- Σ_f q[f] s[f] of kRows queries
  template <std::size_t kRows>
  void read(std::size_t row) const noexcept {
    f32 sum[kRows][kCount];
    sum_up(features(block.q, row), sum);
    for (std::size_t r = 0; r < kRows; ++r)
      for (std::size_t n = 0; n < kCount; ++n) store(block.o + (row + r) * sizes.stride + c + n * f32::size, sum[r][n]);
  }

  /// Two queries at once have sums enough in flight to hide the latency of a multiply-add.
  void read_queries(std::size_t first, std::size_t last) const noexcept {
    for (; first + 2 <= last; first += 2) read<2>(first);
    if (first < last) read<1>(first);
  }

  /// v <- beta (v - expected)
  void correct(std::size_t token, f32 (&expected)[kCount]) const noexcept {
    const f32 beta = splat(block.beta[token]);
    float* const v = block.v + token * sizes.stride + c;
    for (std::size_t n = 0; n < kCount; ++n) {
      float* const to = v + n * f32::size;
      if (block.prediction_scale != nullptr) {
        // In double: it may be infinite where nothing is expected.
        float scaled[f32::size];
        store(scaled, expected[n]);
        for (float& x : scaled) x = static_cast<float>(block.prediction_scale[token] * static_cast<double>(x));
        expected[n] = load(scaled);
      }
      store(to, beta * (load(to) - expected[n]));
    }
  }

  void correct_first() const noexcept {
    f32 expected[1][kCount];
    sum_up(block.prediction_keys, expected);
    correct(0, expected[0]);
  }

  /// s <- decay s + k v;   o <- Σ_f q[f] s[f];   of the next token, v <- beta (v - Σ_f prediction_keys[f] s[f])
  template <bool kDecay, bool kNext>
  void update(std::size_t token) const noexcept {
    const float *const k = features(block.k, token), *const q = features(block.q, token * block.group);
    const float* const next = kNext ? features(block.prediction_keys, token + 1) : nullptr;
    const float* const v = block.v + token * sizes.stride + c;
    const std::size_t count = sizes.features, stride = sizes.stride;
    // V8 has no registers for `added` beside two sums of each vector of a block of four.
    constexpr bool kKept = !kNext || kCount < 4;
    f32 o[kCount], expected[kCount], added[kCount];
    for (std::size_t n = 0; n < kCount; ++n) {
      o[n] = expected[n] = splat(0.0f);
      if constexpr (kKept) added[n] = load(v + n * f32::size);
    }
    float* to = s + c;
    for (std::size_t f = 0; f < count; ++f, to += stride) {
      f32 x[kCount];
      const f32 by = splat(k[f]), fade = splat(kDecay ? block.decay[f] : 1.0f);
      for (std::size_t n = 0; n < kCount; ++n) {
        x[n] = load(to + n * f32::size);
        if constexpr (kDecay) x[n] = x[n] * fade;
        x[n] = madd(by, kKept ? added[n] : load(v + n * f32::size), x[n]);
        store(to + n * f32::size, x[n]);
      }
      // Loaded only here, after the stores: before them V8 has no register left.
      const f32 seen = splat(q[f]);
      for (std::size_t n = 0; n < kCount; ++n) o[n] = madd(seen, x[n], o[n]);
      if constexpr (!kNext) continue;
      const f32 prediction_keys = splat(next[f]);
      for (std::size_t n = 0; n < kCount; ++n) expected[n] = madd(prediction_keys, x[n], expected[n]);
    }
    float* const out = block.o + token * block.group * stride + c;
    for (std::size_t n = 0; n < kCount; ++n) store(out + n * f32::size, o[n]);
    if constexpr (kNext) correct(token + 1, expected);
  }

  void walk() const noexcept {
    const bool is_delta = block.prediction_keys != nullptr;
    if (is_delta) correct_first();
    for (std::size_t token = 0; token < block.tokens; ++token) {
      const bool is_first = token == 0 && block.decay != nullptr, has_next = is_delta && token + 1 < block.tokens;
      if (is_first) {
        has_next ? update<true, true>(token) : update<true, false>(token);
      } else {
        has_next ? update<false, true>(token) : update<false, false>(token);
      }
      read_queries(token * block.group + 1, (token + 1) * block.group);
    }
  }

  void run() const noexcept { block.has_keys ? walk() : read_queries(0, block.tokens * block.group); }
};

}  // namespace

void update_state(const LinearSizes& sizes, const TokenBlock& block, float* s) noexcept {
  std::size_t c = 0;
  const auto left = [&] { return (sizes.stride - c) / f32::size; };
  const auto take = [&](auto count) {
    StateColumns<count>{sizes, block, s, c}.run();
    c += count * f32::size;
  };
  // Two sums for each column leave registers for blocks of three vectors, one leaves them for four. One vector is never left.
  const bool has_two_sums = block.prediction_keys != nullptr;
  while (has_two_sums && (left() > 4 || left() == 3)) take(std::integral_constant<std::size_t, 3>{});
  while (left() >= 4) take(std::integral_constant<std::size_t, 4>{});
  if (left() > 0) take(std::integral_constant<std::size_t, 2>{});
}

}  // namespace fovea
