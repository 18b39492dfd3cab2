#pragma once
/// The sums that decoding keeps for every row and chunk of keys, and how they become one. As many chunks as 1 MB
/// holds, at least one for each thread, are summed side by side (a wave) and then merged in order: memory follows neither the
/// keys nor the rows of a call.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "attention/problem/attention_args.hpp"
#include "attention/softmax/online_softmax.hpp"
#include "attention/softmax/selected_rows.hpp"
#include "core/workspace.hpp"
#include "ops/threshold.hpp"

namespace fovea {

inline constexpr std::size_t kDecodeChunk = 1024;

/// Scores of whole rows that a wave keeps at most, where weights need them (keeps_scores()); one row may be longer.
inline constexpr std::size_t kDecodeScores = 262144;

/// The chunks of keys, but those whose keys are all gone.
struct DecodeChunks {
  std::size_t leading;  // with keys that come before those that are gone
  std::size_t next;     // the first after them
  std::size_t count;

  explicit DecodeChunks(const AttentionArgs& args) noexcept {
    const std::size_t all = (args.keys + kDecodeChunk - 1) / kDecodeChunk;
    const bool has_gap = args.kv_layout.evicted_rows > 0;
    leading = has_gap ? (args.kv_layout.keep_first + kDecodeChunk - 1) / kDecodeChunk : all;
    next = std::clamp(has_gap ? args.kv_layout.first_kept() / kDecodeChunk : all, leading, std::max(leading, all));
    // At least one, so that every row has sums, even without keys.
    count = std::max<std::size_t>(1, leading + std::max(next, all) - next);
  }

  [[nodiscard]] std::size_t at(std::size_t index) const noexcept { return index < leading ? index : index - leading + next; }
};

/// Some query heads of a key/value head, whose queries read its keys together.
struct DecodeGroup {
  std::size_t batch, kv_head, first_head, heads;
};

/// How a call is cut into groups of heads, and these into chunks of keys; a wave is a run of (group, chunk), chunk by chunk.
struct DecodeSizes {
  DecodeChunks chunks;
  std::size_t queries, width, distances, value_floats, stride;
  std::size_t scores;   // of a row, that are kept: those of all keys, or none
  std::size_t heads;    // of a group, at most
  std::size_t groups;   // of a key/value head
  std::uint64_t steps;  // (group, chunk) of the call
  std::size_t wave;     // steps of a wave, at most
  std::size_t wave_groups;

  DecodeSizes(const AttentionArgs& args, std::size_t threads) noexcept;

  /// Rows of a group, at most.
  [[nodiscard]] std::size_t rows() const noexcept { return heads * queries; }
  [[nodiscard]] DecodeGroup group(const AttentionArgs& args, std::uint64_t index) const noexcept;
};

/// The memory of a wave: the queries times their scale, and the sums of every row and chunk.
struct DecodePartials {
  DecodeSizes sizes;
  float* q;             // [wave groups][rows][width]
  float* relative;      // [wave groups][rows][distances], in vectors: q · rK (relative_keys.hpp)
  float* m;             // [wave + 1][rows]: the last are those of a group whose chunks go on in the next wave
  float* l;             // the same, four lanes each
  float* o;             // the same, `stride` each
  ArgmaxState* argmax;  // the same, of normalizers that choose one key
  float* scores;        // [wave groups][rows][scores]: scores, then weights
  RowKind* kinds;       // [wave groups][rows], of rows whose scores are kept

  DecodePartials(const AttentionArgs& args, std::size_t threads, Workspace& workspace) noexcept;

  /// The query of row `row` of a group, counted from the first of the wave.
  [[nodiscard]] float* query(std::size_t group, std::size_t row) const noexcept {
    return q + (group * sizes.rows() + row) * sizes.width;
  }
  [[nodiscard]] float* products(std::size_t group, std::size_t row) const noexcept {
    return relative + (group * sizes.rows() + row) * sizes.distances;
  }

  [[nodiscard]] float* kept_scores(std::size_t group, std::size_t row) const noexcept {
    return scores + (group * sizes.rows() + row) * sizes.scores;
  }
  [[nodiscard]] RowKind& kind(std::size_t group, std::size_t row) const noexcept { return kinds[group * sizes.rows() + row]; }

  /// The sums from row `row` on of a step of the wave; `slot` may be carried().
  [[nodiscard]] SoftmaxRows rows(std::size_t slot, std::size_t row) const noexcept {
    const std::size_t index = slot * sizes.rows() + row;
    return {{o + index * sizes.stride, sizes.stride}, m + index, l + index * kDecodeLanes};
  }
  [[nodiscard]] ArgmaxState* argmax_rows(std::size_t slot, std::size_t row) const noexcept {
    return argmax + slot * sizes.rows() + row;
  }
  [[nodiscard]] std::size_t carried() const noexcept { return sizes.wave; }

  static constexpr std::size_t kDecodeLanes = 4;
};

/// total <- total and part, the sums of one row over the keys before, and those of `part`: of softmax, or of normalizers that have
/// no m.
void merge_softmax(SoftmaxRows total, SoftmaxRows part) noexcept;
void merge_pointwise(SoftmaxRows total, SoftmaxRows part) noexcept;

/// to <- from, one row
void copy_row(SoftmaxRows from, SoftmaxRows to) noexcept;

/// Whether the normalizer chooses one key of a row.
[[nodiscard]] bool chooses_key(const AttentionArgs& args) noexcept;

}  // namespace fovea
