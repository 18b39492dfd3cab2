#include "attention/cache/append_rows.hpp"

#include <algorithm>

#include "ops/float16.hpp"

namespace fovea {
namespace {

constexpr std::uint64_t kFewSubnormals = 256;

/// Counts float16 with which the fast conversion is slow or wrong: 1 for a subnormal, 2^32 for an infinity or a NaN.
std::uint64_t irregularities(const std::uint16_t* f16, std::size_t count) noexcept {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned exponent = f16[i] & 0x7C00u;
    sum += exponent == 0 && (f16[i] & 0x03FFu) != 0 ? 1 : 0;
    sum += exponent == 0x7C00u ? std::uint64_t{1} << 32 : 0;
  }
  return sum;
}

}  // namespace

Status append_rows(const AppendArgs& args) noexcept {
  if (args.at > args.rows || args.tokens > args.rows - args.at) return Status::Value;
  std::uint64_t irregular = 0;
  for (std::size_t head = 0; head < args.batch * args.heads; ++head) {
    for (std::size_t t = 0; t < args.tokens; ++t) {
      const float* const from = args.from.row(head / args.heads, head % args.heads, t);
      const std::size_t to = (head * args.rows + args.at + t) * args.width;
      if (args.float16 != nullptr) {
        to_float16(from, args.width, args.float16 + to);
        if (args.irregular != nullptr) irregular += irregularities(args.float16 + to, args.width);
      } else {
        std::copy_n(from, args.width, args.floats + to);
      }
    }
  }
  const std::uint64_t elements = std::uint64_t{args.batch} * args.heads * args.tokens * args.width;
  if (args.irregular != nullptr && irregular * kFewSubnormals > elements) *args.irregular = 1;
  return Status::Ok;
}

}  // namespace fovea
