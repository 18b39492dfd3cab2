#pragma once
/// Linear attention of the linear rule in chunks: products of matrices. What is summed over 1024 tokens, a span, starts from
/// zero, so that spans can be summed side by side; then they are added in order.
///   causal, within a chunk of 24:  out = φ(Q) S + tril(φ(Q) φ(K)ᵀ) V,   S <- S + φ(K)ᵀ V

#include <cstddef>

#include "attention/linear.hpp"
#include "attention/linear_state.hpp"
#include "core/workspace.hpp"

namespace fovea {

inline constexpr std::size_t kLinearSpan = 1024;

/// Keys that are summed together where no query waits for them: the rows of a chunk's panels.
inline constexpr std::size_t kLinearKeys = 96;

/// The panels of one chunk, and rows of a strip: what one thread needs.
struct LinearScratch {
  float* k;          // [96][feature_stride]: φ(K)
  float* k_columns;  // column panels of φ(K)ᵀ
  float* v;          // column panels of V, where it is not read as it lies
  float* state;      // S and z, as sums are
  float* q;          // [strip][query_stride]: φ(Q)
  float* q_blocks;   // the same in blocks of 128 features: [block][strip][128]
  float* o;          // [strip][stride]
  float* scores;     // [strip][64]
  float* touched;    // [1]

  static std::size_t floats(const LinearArgs& args) noexcept;
  static LinearScratch take(const LinearArgs& args, Workspace& workspace) noexcept;
};

/// A key/value head of a batch entry.
struct LinearHead {
  std::size_t batch, kv_head;
  const float* highest = nullptr;  // [F] of Softmax: of all keys
};

/// part <- the sums of the keys [from, from + kLinearSpan). Where `start` is given, the call is causal: the outputs of the same
/// queries are written, from the state before the first of these keys.
void attend_span(const LinearArgs& args, const LinearHead& head, std::size_t from, const LinearSums* start, LinearSums& part,
                 const LinearScratch& scratch) noexcept;

/// The outputs of the queries [from, from + kLinearSpan), which see no more than `sums`.
void read_span(const LinearArgs& args, const LinearHead& head, std::size_t from, const LinearSums& sums,
               const LinearScratch& scratch) noexcept;

}  // namespace fovea
