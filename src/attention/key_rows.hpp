#pragma once
/// Rows of keys or values as float32, whatever they are stored as: where they lie, or gathered to scratch memory, tile by tile.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "attention/attention.hpp"
#include "attention/score_tile.hpp"
#include "ops/panels.hpp"

namespace fovea {

/// Keys that follow each other from `first` on, or those listed.
struct KeyList {
  std::size_t first, count;
  const std::uint32_t* list = nullptr;

  [[nodiscard]] std::size_t at(std::size_t index) const noexcept { return list != nullptr ? list[index] : first + index; }
};

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

/// Floats of scratch for a tile of keys, then of its values; 0 where none are gathered.
[[nodiscard]] inline std::size_t key_rows_floats(const AttentionArgs& args) noexcept {
  return args.store.is_plain() ? 0 : kKeyTile * std::max(args.width, args.value_width);
}

/// For stores that are not plain. Keys that are gone are rows of zeros, or of anything.
[[nodiscard]] SourceRows gather_rows(const KeyStore& store, const StoredRows& rows, const KeyList& keys,
                                     float* scratch) noexcept;

/// Row i of the result is that of keys.at(i). `scratch` has room for as many rows.
[[nodiscard]] inline SourceRows key_rows(const KeyStore& store, const StoredRows& rows, const KeyList& keys,
                                         float* scratch) noexcept {
  if (!store.is_plain()) return gather_rows(store, rows, keys, scratch);
  return {rows.view.row(rows.batch, rows.kv_head, keys.list != nullptr ? 0 : keys.first), rows.view.token, keys.list};
}

/// out <- the row of `key`
void copy_row(const KeyStore& store, const StoredRows& rows, std::size_t key, float* out) noexcept;

/// out <- out + weight times the row of `key`
void add_row(const KeyStore& store, const StoredRows& rows, std::size_t key, float weight, float* out) noexcept;

/// x · the row of `key`, in double
[[nodiscard]] double dot_with_key(const KeyStore& store, const StoredRows& rows, std::size_t key, const float* x) noexcept;

}  // namespace fovea
