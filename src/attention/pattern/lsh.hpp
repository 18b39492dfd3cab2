#pragma once
/// Buckets of angular locality-sensitive hashing: vectors of like direction often share one.
///   ids[r,t] = argmax_c [x[t] R_r, -x[t] R_r],   c < buckets, the lowest c on ties
///   R_r [D, buckets/2] of independent normals: entry (d, c) is normal d mod 4 of counter (c, floor(d / 4), r) of Stream::Lsh
///   (core/random.hpp), so it depends on the seed and on d, c and r, and on no size.
/// Shapes: x [B, H, T, D], by strides; ids [rounds, B, H, T], contiguous.
/// Requires: D >= 1; rounds >= 1; buckets even, 2 <= buckets < 2^31.
/// Rows: a projection that is NaN is passed over. Where all are, as for every x[t] with a NaN, and where all are 0, the bucket
///   is 0. No row touches another.
/// Accuracy: a projection is a float32 sum over d from 0, product and sum rounded each: never fused, so that the ids are the
///   same in every variant of the library. Where two projections lie within its rounding, either may win against the exact one.
/// Determinism: an id depends on its own x[t], the seed, the round and the number of buckets.
/// Errors: Status::Shape (D), Status::Value (rounds, buckets), Status::Memory (workspace too small).
/// Workspace: lsh_workspace_bytes(): one R_r and four rows of projections.
/// Paper: arXiv:2001.04451 §2 (Reformer, whose R is this one: not orthogonal); arXiv:1509.02897 (Andoni et al. 2015, the
///   cross-polytope hash). x may have any length: argmax ignores the norm of x.

#include <cstddef>
#include <cstdint>

#include "core/random.hpp"
#include "core/status.hpp"
#include "core/view.hpp"
#include "core/workspace.hpp"

namespace fovea {

struct LshArgs {
  std::size_t batch = 0, heads = 0, tokens = 0, width = 0;
  HeadsView<const float> x;
  std::uint32_t buckets = 0, rounds = 0;
  Seed seed;
  std::int32_t* ids = nullptr;
};

/// 0 for arguments that lsh_buckets() refuses.
[[nodiscard]] std::uint64_t lsh_workspace_bytes(const LshArgs& args) noexcept;

[[nodiscard]] Status lsh_buckets(const LshArgs& args, Workspace workspace) noexcept;

}  // namespace fovea
