#pragma once
/// The scratch memory of linear attention's gradients.

#include <algorithm>

#include "gemm/matmul.hpp"
#include "gemm/transposed_product.hpp"
#include "linear_attention/linear_attention.hpp"

namespace fovea {

/// Tokens whose pairs are computed together where causal.
inline constexpr std::size_t kLinearBackwardChunk = 64;

/// The scratch of one thread. W = Dv + 1: a value and 1, or u and c.
struct LinearBackwardScratch {
  float *keys, *d_keys, *queries, *d_queries;  // [T, F]
  float *values, *d_values, *u;                // [T, W]
  float *before, *behind;                      // [F, W]: the states of keys and of queries
  float *pairs, *product;                      // [chunk, chunk], [chunk, F or W]
  float *m, *z, *exponents;                    // [F]: stabilizers, sums of features; [Tq]
  Workspace multiply;

  LinearBackwardScratch(const LinearArgs& args, Workspace& workspace) noexcept {
    const std::size_t features = args.features.count(), columns = args.value_width + 1;
    for (float** const one : {&keys, &d_keys}) *one = workspace.take<float>(args.keys, features);
    for (float** const one : {&queries, &d_queries}) *one = workspace.take<float>(args.queries, features);
    for (float** const one : {&values, &d_values}) *one = workspace.take<float>(args.keys, columns);
    u = workspace.take<float>(args.queries, columns);
    for (float** const one : {&before, &behind}) *one = workspace.take<float>(features, columns);
    pairs = workspace.take<float>(kLinearBackwardChunk, kLinearBackwardChunk);
    product = workspace.take<float>(kLinearBackwardChunk, std::max(features, columns));
    for (float** const one : {&m, &z}) *one = workspace.take<float>(features);
    exponents = workspace.take<float>(args.queries);
    multiply = workspace.cut(std::max(matmul_workspace_bytes(), transposed_product_workspace_bytes()));
  }
};

}  // namespace fovea
