#pragma once
/// Memory of one thread for a chunk of linear attention (chunks.hpp).

#include <cstddef>

#include "core/workspace.hpp"
#include "linear_attention/linear_attention.hpp"

namespace fovea {

/// Keys that are summed together where no query waits for them: the rows of a chunk's panels. 48 took as long (2026-11-21).
inline constexpr std::size_t kLinearKeys = 96;

/// The panels of one chunk, and rows of a strip: what one thread needs.
struct LinearScratch {
  float* k;          // [96][feature_stride]: φ(K)
  float* k_columns;  // column panels of φ(K)ᵀ
  float* v;          // column panels of V, where it is not read as it lies
  float* state;      // S and z, as sums are
  float* state_m;    // [stabilizers] of the state
  float* m;          // [stabilizers] of φ(K)
  float* spare_m;    // [stabilizers]
  float* q;          // [strip][query_stride]: φ(Q)
  float* q_blocks;   // the same in blocks of 128 features: [block][strip][128]
  float* o;          // [strip][stride]
  float* scores;     // [strip][64]
  float* touched;    // [1]

  static LinearScratch take(const LinearArgs& args, Workspace& workspace) noexcept;
};

}  // namespace fovea
