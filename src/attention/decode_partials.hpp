#pragma once
/// The sums that decoding keeps for every row and chunk of keys, and how they become one.

#include <algorithm>
#include <cstddef>

#include "attention/attention.hpp"
#include "attention/decode.hpp"
#include "attention/online_softmax.hpp"
#include "attention/relative_positions.hpp"
#include "core/workspace.hpp"
#include "ops/panels.hpp"
#include "simd/simd.hpp"

namespace fovea {

/// The chunks of keys, but those whose keys are all gone.
struct DecodeChunks {
  std::size_t leading;  // with keys that come before those that are gone
  std::size_t next;     // the first after them
  std::size_t count;

  explicit DecodeChunks(const AttentionArgs& args) noexcept {
    const std::size_t all = (args.keys + kDecodeChunk - 1) / kDecodeChunk;
    const bool has_gap = args.store.shift > 0;
    leading = has_gap ? (args.store.keep_first + kDecodeChunk - 1) / kDecodeChunk : all;
    next = std::clamp(has_gap ? args.store.first_kept() / kDecodeChunk : all, leading, std::max(leading, all));
    // At least one, so that every row has sums, even without keys.
    count = std::max<std::size_t>(1, leading + std::max(next, all) - next);
  }

  [[nodiscard]] std::size_t at(std::size_t index) const noexcept { return index < leading ? index : index - leading + next; }
};

/// Floats of a value, in vectors.
inline std::size_t value_floats_of(const AttentionArgs& args) noexcept { return round_up(args.value_width, simd::f32::size); }

/// The queries times their scale, and the sums of every row and chunk.
struct DecodePartials {
  std::size_t queries, chunks, width, stride, distances;
  float* q;         // [rows][width]
  float* relative;  // [rows][distances], in vectors: q · rK (relative_positions.hpp)
  float* m;         // [rows / queries][chunks][queries]
  float* l;         // the same, four lanes each
  float* o;         // the same, `stride` each

  static std::size_t workspace_floats(const AttentionArgs& args) noexcept {
    const std::size_t rows = args.batch * args.heads * args.queries, partials = rows * DecodeChunks(args).count;
    return workspace_round(rows * args.width) +
           workspace_round(rows * round_up(args.axes.relative_keys.distances(), simd::f32::size)) + workspace_round(partials) +
           workspace_round(partials * simd::f32::size) +
           workspace_round(partials * (value_floats_of(args) + distance_floats(args)));
  }

  static DecodePartials take(const AttentionArgs& args, Workspace& workspace) noexcept {
    DecodePartials partials;
    partials.queries = args.queries;
    partials.chunks = DecodeChunks(args).count;
    partials.width = args.width;
    partials.stride = value_floats_of(args) + distance_floats(args);
    partials.distances = round_up(args.axes.relative_keys.distances(), simd::f32::size);
    const std::size_t rows = args.batch * args.heads * args.queries;
    partials.q = workspace.take(rows * args.width);
    partials.relative = workspace.take(rows * partials.distances);
    partials.m = workspace.take(rows * partials.chunks);
    partials.l = workspace.take(rows * partials.chunks * simd::f32::size);
    partials.o = workspace.take(rows * partials.chunks * partials.stride);
    return partials;
  }

  [[nodiscard]] float* query(std::size_t heads, std::size_t i) const noexcept { return q + (heads * queries + i) * width; }

  [[nodiscard]] float* products(std::size_t heads, std::size_t i) const noexcept {
    return relative + (heads * queries + i) * distances;
  }

  /// From query i on; `head` counts over the whole batch.
  [[nodiscard]] RunningRows rows(std::size_t head, std::size_t chunk, std::size_t i) const noexcept {
    const std::size_t row = (head * chunks + chunk) * queries + i;
    return {m + row, l + row * simd::f32::size, o + row * stride, stride};
  }
};

/// Chunk 0's sums <- the sums of all chunks, in their order.
void merge_chunks(const DecodePartials& partials, std::size_t head, std::size_t i) noexcept;

}  // namespace fovea
