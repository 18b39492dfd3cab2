#include "ops/listed_rows.hpp"

#include <algorithm>

#include "ops/map.hpp"

namespace fovea {
namespace {

bool are_inside(const ListedRowsArgs& args) noexcept {
  return std::all_of(args.indices, args.indices + args.count,
                     [&](std::int32_t index) { return index >= 0 && static_cast<std::size_t>(index) < args.length; });
}

std::size_t row_of(const ListedRowsArgs& args, std::size_t i) noexcept { return static_cast<std::size_t>(args.indices[i]); }

}  // namespace

Status take_rows(const ListedRowsArgs& args) noexcept {
  if (!are_inside(args)) return Status::Value;
  for (std::size_t o = 0; o < args.outer; ++o) {
    const float* const x = args.x + o * args.length * args.inner;
    float* const y = args.y + o * args.count * args.inner;
    for (std::size_t i = 0; i < args.count; ++i) std::copy_n(x + row_of(args, i) * args.inner, args.inner, y + i * args.inner);
  }
  return Status::Ok;
}

Status add_rows(const ListedRowsArgs& args) noexcept {
  if (!are_inside(args)) return Status::Value;
  for (std::size_t o = 0; o < args.outer; ++o) {
    const float* const x = args.x + o * args.count * args.inner;
    float* const y = args.y + o * args.length * args.inner;
    for (std::size_t i = 0; i < args.count; ++i) {
      float* const to = y + row_of(args, i) * args.inner;
      map(to, x + i * args.inner, args.inner, to, [](simd::f32 sum, simd::f32 added) { return sum + added; });
    }
  }
  return Status::Ok;
}

}  // namespace fovea
