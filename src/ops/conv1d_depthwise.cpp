#include "ops/conv1d_depthwise.hpp"

#include <algorithm>

#include "ops/map.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::madd;
using simd::splat;

constexpr std::size_t kTokens = 64;  // of one task, channels last

/// y <- y + Σ_k weight[k] x[... + k dilation] of one channel
void channel(const Conv1dArgs& args, const float* x, const float* weight, float* y) noexcept {
  for (std::size_t k = 0; k < args.kernel; ++k) {
    // Results [from, to) see a token: padding <= t stride + k dilation < padding + T.
    const std::size_t shift = k * args.dilation;
    const auto first_from = [&](std::size_t place) { return (std::max(place, shift) - shift + args.stride - 1) / args.stride; };
    const std::size_t from = std::min(args.out_tokens, first_from(args.padding));
    const std::size_t to = std::min(args.out_tokens, first_from(args.padding + args.tokens));
    if (from >= to) continue;
    const float* const start = x + (from * args.stride + shift - args.padding);
    const f32 w = splat(weight[k]);
    if (args.stride == 1) {
      map(start, y + from, to - from, y + from, [w](f32 a, f32 sum) { return madd(a, w, sum); });
    } else {
      for (std::size_t t = from; t < to; ++t) y[t] = madd(splat(start[(t - from) * args.stride]), w, splat(y[t])).get(0);
    }
  }
}

/// One token of all channels.
void token(const Conv1dArgs& args, const float* x, const float* weight, std::size_t t, float* y) noexcept {
  const std::size_t channels = args.in_channels;
  for (std::size_t k = 0; k < args.kernel; ++k) {
    const std::size_t place = t * args.stride + k * args.dilation;
    if (place < args.padding || place - args.padding >= args.tokens) continue;
    const float* const row = x + (place - args.padding) * channels;
    const float* const w = weight + k * channels;
    std::size_t c = 0;
    for (; c + f32::size <= channels; c += f32::size) {
      simd::store(y + c, madd(simd::load(row + c), simd::load(w + c), simd::load(y + c)));
    }
    for (; c < channels; ++c) y[c] = madd(splat(row[c]), splat(w[c]), splat(y[c])).get(0);
  }
}

}  // namespace

void conv1d_depthwise(const Conv1dArgs& args, const float* weight, ThreadPool* pool) noexcept {
  ThreadPool* const chosen = is_short_work(args.batch * args.out_channels, args.out_tokens, args.kernel) ? nullptr : pool;
  if (!args.channels_last) {
    parallel_for(chosen, args.batch * args.out_channels, [&](std::size_t task, std::size_t) {
      const std::size_t b = task / args.out_channels, o = task % args.out_channels;
      float* const y = args.y + task * args.out_tokens;
      std::fill_n(y, args.out_tokens, args.bias != nullptr ? args.bias[o] : 0.0f);
      channel(args, args.x + (b * args.in_channels + o / args.group_out()) * args.tokens, weight + o * args.kernel, y);
    });
    return;
  }
  const std::size_t blocks = (args.out_tokens + kTokens - 1) / kTokens;
  parallel_for(chosen, args.batch * blocks, [&](std::size_t task, std::size_t) {
    const std::size_t b = task / blocks, first = task % blocks * kTokens;
    for (std::size_t t = first; t < std::min(args.out_tokens, first + kTokens); ++t) {
      float* const y = args.y + (b * args.out_tokens + t) * args.out_channels;
      if (args.bias != nullptr) {
        std::copy_n(args.bias, args.out_channels, y);
      } else {
        std::fill_n(y, args.out_channels, 0.0f);
      }
      token(args, args.x + b * args.tokens * args.in_channels, weight, t, y);
    }
  });
}

}  // namespace fovea
