#include "ops/argmax.hpp"

#include <algorithm>

#include "core/infinity.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::i32;
using simd::load;
using simd::mask32;
using simd::select;
using simd::splat;

constexpr std::size_t kLines = 64;          // lines that are read together, so that memory is read in order
constexpr std::size_t kTaskEntries = 8192;  // of contiguous lines

/// The first l at which found(x[l]) holds in any lane; `length` if there is none.
template <class Found>
std::size_t first_place(const float* x, std::size_t length, Found found) noexcept {
  std::size_t l = 0;
  for (; l + f32::size <= length; l += f32::size) {
    if (found(load(x + l)).mask() != 0) break;
  }
  while (l < length && (found(splat(x[l])).mask() == 0)) ++l;
  return l;
}

/// The place in a contiguous line: its maximum is found first, then where it stands.
std::int32_t argmax_line(const float* x, std::size_t length) noexcept {
  constexpr std::size_t kUnroll = 4;
  f32 best[kUnroll];
  for (f32& lanes : best) lanes = splat(kMinusInfinity);
  std::size_t l = 0;
  for (; l + kUnroll * f32::size <= length; l += kUnroll * f32::size) {
    for (std::size_t u = 0; u < kUnroll; ++u) best[u] = simd::max_or_nan(best[u], load(x + l + u * f32::size));
  }
  for (; l < length; ++l) best[0] = simd::max_or_nan(best[0], splat(x[l]));
  for (std::size_t u = 1; u < kUnroll; ++u) best[0] = simd::max_or_nan(best[0], best[u]);
  f32 all = best[0];
  for (std::size_t lane = 0; lane < f32::size; ++lane) all = simd::max_or_nan(all, splat(best[0].get(lane)));
  const bool has_nan = (all != all).mask() != 0;
  return static_cast<std::int32_t>(has_nan ? first_place(x, length, [](f32 a) { return a != a; })
                                           : first_place(x, length, [all](f32 a) { return a == all; }));
}

/// `count` neighboring lines, `inner` apart.
void argmax_lines(const float* x, std::size_t length, std::size_t inner, std::size_t count, std::int32_t* y) noexcept {
  float best[kLines];
  std::copy_n(x, count, best);
  std::fill_n(y, count, 0);
  for (std::size_t l = 1; l < length; ++l) {
    const float* const row = x + l * inner;
    const i32 place(static_cast<std::int32_t>(l));
    std::size_t i = 0;
    for (; i + f32::size <= count; i += f32::size) {
      const f32 own = load(row + i), most = load(best + i);
      // A NaN is not <= anything, and nothing replaces it.
      const mask32 stays = (own <= most) | (most != most);
      simd::store(best + i, select(stays, most, own));
      select(stays, i32::load_unaligned(y + i), place).store_unaligned(y + i);
    }
    for (; i < count; ++i) {
      if (row[i] <= best[i] || best[i] != best[i]) continue;
      best[i] = row[i];
      y[i] = static_cast<std::int32_t>(l);
    }
  }
}

}  // namespace

void argmax(const float* x, std::size_t outer, std::size_t length, std::size_t inner, std::int32_t* y,
            ThreadPool* pool) noexcept {
  ThreadPool* const chosen = is_short_work(outer, length, inner) ? nullptr : pool;
  if (inner == 1) {
    const std::size_t rows = std::max<std::size_t>(1, kTaskEntries / length);
    return parallel_for(chosen, (outer + rows - 1) / rows, [&](std::size_t task, std::size_t) {
      const std::size_t end = std::min(outer, (task + 1) * rows);
      for (std::size_t o = task * rows; o < end; ++o) y[o] = argmax_line(x + o * length, length);
    });
  }
  const std::size_t blocks = (inner + kLines - 1) / kLines;
  parallel_for(chosen, outer * blocks, [&](std::size_t task, std::size_t) {
    const std::size_t o = task / blocks, i = task % blocks * kLines;
    argmax_lines(x + o * length * inner + i, length, inner, std::min(kLines, inner - i), y + o * inner + i);
  });
}

}  // namespace fovea
