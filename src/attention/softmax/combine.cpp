#include "attention/softmax/combine.hpp"

#include <algorithm>
#include <span>

#include "attention/softmax/row_results.hpp"
#include "core/infinity.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::madd;
using simd::splat;
using simd::store;

void add_row(float weight, const float* row, std::size_t width, float* o) noexcept {
  const f32 weights = splat(weight);
  std::size_t c = 0;
  for (; c + f32::size <= width; c += f32::size) store(o + c, madd(weights, load(row + c), load(o + c)));
  for (; c < width; ++c) o[c] = madd(weights, splat(row[c]), splat(o[c])).get(0);
}

/// o of one row
float* take_row(const CombineArgs& args, Workspace& workspace) noexcept { return workspace.take<float>(args.value_width); }

/// Whether no result has an element: then there is nothing to do, however many rows there are.
bool has_no_results(const CombineArgs& args) noexcept {
  const bool has_no_rows = args.batch == 0 || args.heads == 0 || args.queries == 0;
  return has_no_rows || (args.value_width == 0 && args.lse == nullptr);
}

}  // namespace

std::uint64_t combine_workspace_bytes(const CombineArgs& args) noexcept {
  return has_no_results(args) ? 0 : count_bytes([&](Workspace& workspace) { take_row(args, workspace); });
}

Status combine(const CombineArgs& args, Workspace workspace) noexcept {
  if (has_no_results(args)) return Status::Ok;
  float* const o = take_row(args, workspace);
  if (!workspace.sufficed()) return Status::Memory;
  const std::span parts(args.parts, args.count);

  for (std::size_t b = 0; b < args.batch; ++b) {
    for (std::size_t h = 0; h < args.heads; ++h) {
      for (std::size_t i = 0; i < args.queries; ++i) {
        // m <- max of lse[i]. A NaN may hide from it, but not from the sum.
        float m = kMinusInfinity;
        for (const CombinePart& part : parts) m = std::max(m, *part.lse.row(b, h, i));

        // l <- Σ w[i];  o <- Σ w[i] output[i]
        float l[f32::size] = {};
        std::fill_n(o, args.value_width, 0.0f);
        for (const CombinePart& part : parts) {
          const float lse = *part.lse.row(b, h, i);
          if (lse == kMinusInfinity) continue;
          const float weight = simd::exp(lse - m);
          l[0] += weight;
          add_row(weight, part.output.row(b, h, i), args.value_width, o);
        }
        const RowScale row(m, l, args.sinks != nullptr ? args.sinks[h] : kMinusInfinity);
        write_output(row, o, args.value_width, args.output.row(b, h, i));
        if (args.lse != nullptr) args.lse[(b * args.heads + h) * args.queries + i] = row.lse();
      }
    }
  }
  return Status::Ok;
}

}  // namespace fovea
