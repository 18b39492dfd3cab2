#pragma once
/// Linear attention of the linear rule in chunks: products of matrices. The sums of a segment of 1024 tokens start from zero,
/// so that segments are summed in parallel; then they are added in order.
///   causal, within a chunk of 24:  out = φ(Q) S + tril(φ(Q) φ(K)ᵀ) V,   S <- S + φ(K)ᵀ V

#include <cstddef>

#include "linear_attention/chunk_workspace.hpp"
#include "linear_attention/linear_attention.hpp"
#include "linear_attention/state.hpp"

namespace fovea {

inline constexpr std::size_t kLinearSegment = 1024;

/// A key/value head of a batch entry.
struct LinearHead {
  std::size_t batch, kv_head;
  const float* key_max = nullptr;  // [F] of Softmax: of all keys
};

/// part <- the sums of the keys [from, from + kLinearSegment). Where `start` is given, the call is causal: the outputs of the
/// same queries are written, from the state before the first of these keys.
void attend_segment(const LinearArgs& args, const LinearHead& head, std::size_t from, const LinearSums* start,
                    const LinearSums& part, const LinearScratch& scratch) noexcept;

/// The outputs of the queries [from, from + kLinearSegment), which see no more than `sums`.
void read_segment(const LinearArgs& args, const LinearHead& head, std::size_t from, const LinearSums& sums,
                  const LinearScratch& scratch) noexcept;

}  // namespace fovea
