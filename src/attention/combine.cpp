#include "attention/combine.hpp"

#include <algorithm>
#include <span>

#include "attention/row_results.hpp"
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

}  // namespace

std::size_t combine_workspace_floats(const CombineArgs& args) noexcept { return workspace_round(args.value_width); }

Status combine(const CombineArgs& args, Workspace workspace) noexcept {
  float* const o = workspace.take(args.value_width);
  if (!workspace.sufficed()) return Status::Memory;
  const std::span parts(args.parts, args.count);

  AttentionArgs results;
  results.heads = args.heads;
  results.queries = args.queries;
  results.value_width = args.value_width;
  results.output = args.output;
  results.lse = args.lse;
  results.sinks = args.sinks;

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
        write_row(results, b, h, i, m, l, o);
      }
    }
  }
  return Status::Ok;
}

}  // namespace fovea
