#pragma once
/// Rows of keys or values as float32, whatever they are stored as: where they lie, or gathered to scratch memory, tile by tile.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "attention/problem/attention_args.hpp"
#include "attention/problem/token_list.hpp"
#include "attention/score/score_tile.hpp"
#include "core/workspace.hpp"
#include "gemm/dot.hpp"
#include "gemm/panels.hpp"

namespace fovea {

/// k or v of one batch entry and key/value head.
struct StoredRows {
  HeadsView<const float> view;
  std::size_t width, batch, kv_head;

  static StoredRows keys(const AttentionArgs& args, std::size_t batch, std::size_t kv_head) noexcept {
    return {args.k, args.width, batch, kv_head};
  }
  static StoredRows values(const AttentionArgs& args, std::size_t batch, std::size_t kv_head) noexcept {
    return {args.v, args.value_width, batch, kv_head};
  }
};

/// Scratch for a tile of keys, then of its values; empty where none are gathered.
inline float* take_key_rows(const AttentionArgs& args, Workspace& workspace) noexcept {
  return workspace.take<float>(args.kv_layout.is_dense_f32() ? 0 : kKeyTile, std::max(args.width, args.value_width));
}

/// For stores that are not plain. Keys that are gone are rows of zeros, or of anything.
[[nodiscard]] SourceRows gather_rows(const KvLayout& store, const StoredRows& rows, const TokenList& keys,
                                     float* scratch) noexcept;

/// Row i of the result is that of keys.at(i). `scratch` has room for as many rows.
[[nodiscard]] inline SourceRows key_rows(const KvLayout& store, const StoredRows& rows, const TokenList& keys,
                                         float* scratch) noexcept {
  if (!store.is_dense_f32()) return gather_rows(store, rows, keys, scratch);
  return {rows.view.row(rows.batch, rows.kv_head, keys.list != nullptr ? 0 : keys.first), rows.view.token, keys.list};
}

/// The rows of keys that are stored as float16 and follow each other in memory, the first of them; else null.
[[nodiscard]] const std::uint16_t* float16_run(const KvLayout& store, const StoredRows& rows, const TokenList& keys) noexcept;

/// out <- the row of `key`
void copy_row(const KvLayout& store, const StoredRows& rows, std::size_t key, float* out) noexcept;

/// out <- out + weight times the row of `key`
void add_row(const KvLayout& store, const StoredRows& rows, std::size_t key, float weight, float* out) noexcept;

/// out[n] <- x · the row of keys[n], in double; at most kDotsTogether keys
void dots_with_keys(const KvLayout& store, const StoredRows& rows, std::span<const std::size_t> keys, const float* x,
                    double (&out)[kDotsTogether]) noexcept;

/// out[n] <- the additive score of x and the row of keys[n], of at most kKeyTile keys. However rows are stored, 64 elements are
/// summed at a time: the bits are the same.
void additive_scores_with_keys(const KvLayout& store, const StoredRows& rows, std::span<const std::uint32_t> keys,
                               const AdditiveScore& score, const float* x, float* out) noexcept;

/// x · (the row of `key` + added), in double
[[nodiscard]] double dot_with_sum(const KvLayout& store, const StoredRows& rows, std::size_t key, const float* x,
                                  const float* added) noexcept;

}  // namespace fovea
