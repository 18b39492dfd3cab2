#include "linear_attention/prefetch_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "gemm/prefetch.hpp"

namespace fovea {
namespace {

/// Floats of all rows: 192 tokens of D=64. The first lines of many are waited for, so that it is done seldom: ms of identity
/// features at 24, 48, 96, 192, 384 tokens 7.5, 7.4, 7.1, 7.0, 7.1 (Node 24, N=16,384, the lowest of 25, 2026-11-21).
constexpr std::size_t kTouchedFloats = 192 * 3 * 64;

}  // namespace

std::size_t prefetch_tokens(const LinearArgs& args, std::size_t batch, std::size_t kv_head, std::size_t from, std::size_t end,
                            float* kept) noexcept {
  const std::size_t each = 2 * args.width + args.value_width;
  const std::size_t count = std::min(std::max(kTouchedFloats / each, kLinearChunk), end - from);
  std::uint32_t sum = prefetch(args.k.row(batch, kv_head, from), args.k.token, count, args.width);
  sum += prefetch(args.v.row(batch, kv_head, from), args.v.token, count, args.value_width);
  sum += prefetch(args.q.row(batch, kv_head * args.group(), from), args.q.token, count, args.width);
  if (args.is_gated()) sum += prefetch(args.decay.row(batch, kv_head, from), args.decay.token, count, args.decay_width);
  *kept = std::bit_cast<float>(sum);
  return count;
}

}  // namespace fovea
