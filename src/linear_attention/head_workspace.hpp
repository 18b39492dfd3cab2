#pragma once
/// Memory for one head of the linear rule (linear_attention.cpp), on one thread or on all.

#include <cstddef>

#include "core/workspace.hpp"
#include "linear_attention/chunk_workspace.hpp"
#include "linear_attention/linear_attention.hpp"
#include "linear_attention/state.hpp"

namespace fovea {

/// Spans of a head that are summed in parallel, for each thread.
inline constexpr std::size_t kWaveSpans = 4;

inline LinearSizes sizes_of(const LinearArgs& args) noexcept { return LinearSizes(args, /*in_panels=*/true); }

/// The sums of a head.
struct HeadScratch {
  LinearSums sums;
  float* compensation;
  float* key_max;  // [Dk]

  HeadScratch(const LinearArgs& args, Workspace& workspace) noexcept
      : sums{sizes_of(args).take_sums(workspace), sizes_of(args).take_stabilizers(workspace)},
        compensation(sizes_of(args).take_sums(workspace)),
        key_max(workspace.take<float>(args.width)) {}
};

/// The scratch of one thread for a segment of tokens.
struct SegmentScratch {
  LinearSums sums;
  LinearScratch chunk;

  SegmentScratch(const LinearArgs& args, Workspace& workspace) noexcept
      : sums{sizes_of(args).take_sums(workspace), sizes_of(args).take_stabilizers(workspace)},
        chunk(LinearScratch::take(args, workspace)) {}
};

/// The scratch of a head on one thread.
struct OwnScratch {
  HeadScratch head;
  SegmentScratch segment;

  OwnScratch(const LinearArgs& args, Workspace& workspace) noexcept : head(args, workspace), segment(args, workspace) {}
};

/// The scratch of a head on `threads` threads.
struct SharedScratch {
  HeadScratch head;
  std::size_t wave;  // segments that are summed in parallel
  LinearSums parts;  // [wave]: their sums
  ThreadWorkspaces segments;

  SharedScratch(const LinearArgs& args, std::size_t threads, Workspace& workspace) noexcept
      : head(args, workspace),
        wave(kWaveSpans * threads),
        parts{sizes_of(args).take_sums(workspace, wave), sizes_of(args).take_stabilizers(workspace, wave)},
        segments(workspace, threads, [&](Workspace& own) { SegmentScratch(args, own); }) {}
};

}  // namespace fovea
